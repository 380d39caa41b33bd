; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Frozen bits are the same bits; frozen after arithmetic they are a number.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %same: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Integer(8)~}}{{$}}
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %bits: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %number: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %same: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %p) {
  %bits = load i64, ptr %p
  %same = freeze i64 %bits
  %v = bitcast i64 %same to double
  ret double %v
}
define double @g(ptr %p, double %x) {
  %bits = load i64, ptr %p
  %number = mul i64 %bits, 3
  %same = freeze i64 %number
  store i64 %same, ptr %p
  ret double %x
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, double %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a1, ptr %d1, double %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
