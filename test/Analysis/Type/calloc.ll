; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Zeros from calloc say nothing of what the memory is for; its use does.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(double %x, i64 %n) {
  %m = call ptr @calloc(i64 %n, i64 8)
  %bits = load i64, ptr %m
  %v = bitcast i64 %bits to double
  ret double %v
}
define double @g(double %x, i64 %n) {
  %m = call ptr @calloc(i64 %n, i64 8)
  %bits = load i64, ptr %m
  store i64 %bits, ptr %m
  ret double %x
}
declare ptr @calloc(i64, i64)

define void @differentiate(double %a0, i64 %a1, double %a2, i64 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, i64 %a1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, double %a2, i64 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
