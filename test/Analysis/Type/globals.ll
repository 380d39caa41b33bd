; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Constant tables tell their contents; globals that change, their declared type.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double?}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %ip: {[0]:Pointer -> {[0]:Integer(4)}}{{$}}
; CHECK-DAG:   %k: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   %tp: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*8x3]:Float@double}}{{$}}
; CHECK-DAG:   %qi: {[0]:Pointer}{{$}}
; CHECK-DAG:   %qbits: {}{{$}}
; CHECK-DAG:   %sbits: {[0]:Float@double?}{{$}}
; CHECK-DAG:   %x8: {[0]:Pointer -> {[0]:Float@double?}}{{$}}
; CHECK-DAG:   %x16: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

@table = internal constant [3 x double] [double 1.0, double 2.0, double 4.0]
@index = internal constant [3 x i32] [i32 2, i32 0, i32 1]
@mixed = internal constant { double, ptr, i64 } { double 1.0, ptr @table, i64 5 }
@state = internal global { double, i64 } zeroinitializer
define double @f(ptr %x, i64 %i) {
  %ip = getelementptr inbounds [3 x i32], ptr @index, i64 0, i64 %i
  %k = load i32, ptr %ip
  %tp = getelementptr inbounds [3 x double], ptr @table, i64 0, i32 %k
  %bits = load i64, ptr %tp
  store i64 %bits, ptr %x
  %q = load ptr, ptr getelementptr (i8, ptr @mixed, i64 8)
  %qi = getelementptr i8, ptr %q, i64 %i
  %qbits = load i64, ptr %qi
  %sbits = load i64, ptr @state
  %x8 = getelementptr i8, ptr %x, i64 8
  store i64 %sbits, ptr %x8
  %x16 = getelementptr i8, ptr %x, i64 16
  store i64 %qbits, ptr %x16
  ret double 0.0
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
