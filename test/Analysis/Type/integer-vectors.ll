; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors of integers that carry doubles.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double, [16]:Float@double, [24]:Float@double}}{{$}}
; CHECK-DAG:   %v: {[0]:Float@double, [8]:Float@double}{{$}}
; CHECK-DAG:   %e: {[0]:Float@double}{{$}}
; CHECK-DAG:   %ins: {[0]:Anything(8), [8]:Float@double}{{$}}
; CHECK-DAG:   %back: {[0]:Float@double, [8]:Float@double}{{$}}
; CHECK-DAG:   %y16: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y) {
  %v = load <2 x i64>, ptr %x
  store <2 x i64> %v, ptr %y
  %e = extractelement <2 x i64> %v, i64 1
  %d = bitcast i64 %e to double
  %w = load double, ptr %y
  %ins = insertelement <2 x i64> %v, i64 7, i64 0
  %back = shufflevector <2 x i64> %ins, <2 x i64> poison, <2 x i32> <i32 1, i32 1>
  %y16 = getelementptr i8, ptr %y, i64 16
  store <2 x i64> %back, ptr %y16
  %r = fadd double %d, %w
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
