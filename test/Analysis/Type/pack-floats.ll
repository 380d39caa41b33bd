; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two floats packed into an i64 by zext, shl and or.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-NEXT:  %a: {[0]:Float@float}
; CHECK-NEXT:  %b: {[0]:Float@float}
; CHECK-NEXT:  %out: {[0]:Pointer -> {[0]:Float@float, [4]:Float@float}}
; CHECK-NEXT:  %ai: {[0]:Float@float}
; CHECK-NEXT:  %bi: {[0]:Float@float}
; CHECK-NEXT:  %az: {[0]:Float@float, [4]:Anything(4)}
; CHECK-NEXT:  %bz: {[0]:Float@float, [4]:Anything(4)}
; CHECK-NEXT:  %bs: {[0]:Anything(4), [4]:Float@float}
; CHECK-NEXT:  %both: {[0]:Float@float, [4]:Float@float}
; CHECK-NEXT:  return: {[0]:Anything(8)}

define double @f(float %a, float %b, ptr %out) {
  %ai = bitcast float %a to i32
  %bi = bitcast float %b to i32
  %az = zext i32 %ai to i64
  %bz = zext i32 %bi to i64
  %bs = shl nuw i64 %bz, 32
  %both = or disjoint i64 %bs, %az
  store i64 %both, ptr %out
  ret double 0.0
}

define void @differentiate(float %a0, float %a1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, float %a0, float %a1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
