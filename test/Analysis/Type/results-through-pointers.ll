; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Library functions that return through pointers.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %e: {[0]:Pointer -> {[0]:Integer(4)}}{{$}}
; CHECK-DAG:   %i: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %c: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %k: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(double %x, ptr %e, ptr %i, ptr %s, ptr %c) {
  %m = call double @frexp(double %x, ptr %e)
  %g = call double @modf(double %m, ptr %i)
  call void @sincos(double %g, ptr %s, ptr %c)
  %k = call i32 @ilogb(double %x)
  %n = sitofp i32 %k to double
  %r = fadd double %g, %n
  ret double %r
}
declare double @frexp(double, ptr)
declare double @modf(double, ptr)
declare void @sincos(double, ptr, ptr)
declare i32 @ilogb(double)

define void @differentiate(double %a0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, ptr %a4, ptr %d4) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, ptr %a4, ptr %d4)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
