; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; i128 and i192 moves of doubles.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double, [24]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double, [24]:Float@double}}{{$}}
; CHECK-DAG:   %two: {[0]:Float@double, [8]:Float@double}{{$}}
; CHECK-DAG:   %x16: {[0]:Pointer -> {[8]:Float@double}}{{$}}
; CHECK-DAG:   %three: {[8]:Float@double}{{$}}
; CHECK-DAG:   %y16: {[0]:Pointer -> {[8]:Float@double}}{{$}}
; CHECK-DAG:   %low: {[0]:Float@double}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double, [16]:Float@double}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y) {
  %two = load i128, ptr %x
  store i128 %two, ptr %y
  %x16 = getelementptr i8, ptr %x, i64 16
  %three = load i192, ptr %x16
  %y16 = getelementptr i8, ptr %y, i64 16
  store i192 %three, ptr %y16
  %low = trunc i128 %two to i64
  %d = bitcast i64 %low to double
  %p = getelementptr i8, ptr %x, i64 8
  %e = load double, ptr %p
  %q = getelementptr i8, ptr %y, i64 24
  %g = load double, ptr %q
  %s = fadd double %d, %e
  %r = fadd double %s, %g
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
