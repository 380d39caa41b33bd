; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A union stored as a double and copied as an integer stays a double; stored as an integer
; that was computed, it is a number.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %u: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %t: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %n: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %u: {[0]:Pointer -> {[0]:Integer(8)~}}{{$}}
; CHECK-DAG:   %t: {[0]:Pointer -> {[0]:Integer(8)~}}{{$}}
; CHECK-DAG:   %m: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %bits: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(double %x, ptr %u, ptr %t) {
  store double %x, ptr %u
  %bits = load i64, ptr %u
  store i64 %bits, ptr %t
  ret double %x
}
define double @g(i64 %n, double %x, ptr %u, ptr %t) {
  %m = mul i64 %n, 3
  store i64 %m, ptr %u
  %bits = load i64, ptr %u
  store i64 %bits, ptr %t
  ret double %x
}

define void @differentiate(double %a0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i64 %a3, double %a4, ptr %a5, ptr %d5, ptr %a6, ptr %d6) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, i64 %a3, double %a4, ptr %a5, ptr %d5, ptr %a6, ptr %d6)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
