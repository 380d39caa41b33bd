; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Integer arithmetic on the bits of a float: the bits stay a float's.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@float}{{$}}
; CHECK-DAG:   %i: {[0]:Float@float}{{$}}
; CHECK-DAG:   %half: {[0]:Integer(4)?}{{$}}
; CHECK-DAG:   %guess: {[0]:Integer(4)~, [0]:Float@float}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(float %x) {
  %i = bitcast float %x to i32
  %half = ashr i32 %i, 1
  %guess = sub nsw i32 1597463007, %half
  %y = bitcast i32 %guess to float
  %w = fpext float %y to double
  ret double %w
}

define void @differentiate(float %a0) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, float %a0)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
