; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Halves of an active double are moved by themselves, in both modes: as bits.
; Two floats in one integer are parts that are whole.
; RUN: %adze-opt --stop-after=plan %s 2>&1 | FileCheck %s

; CHECK-NOT: error:
; CHECK: plan of rev.join
; CHECK-NOT: error:

define weak i64 @join(double %v) {
  %bits = bitcast double %v to i64
  %low = trunc i64 %bits to i32
  %up = lshr i64 %bits, 32
  %wide = zext i32 %low to i64
  %high = shl i64 %up, 32
  %all = or disjoint i64 %high, %wide
  ret i64 %all
}
define double @f(double %x) {
  %bits = call i64 @join(double %x)
  %v = bitcast i64 %bits to double
  ret double %v
}

define double @reverse(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
define double @forward(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}

define float @g(<2 x float> %v) {
  %bits = bitcast <2 x float> %v to i64
  %low = trunc i64 %bits to i32
  %up = lshr i64 %bits, 32
  %high = trunc i64 %up to i32
  %a = bitcast i32 %low to float
  %b = bitcast i32 %high to float
  %r = fmul float %a, %b
  ret float %r
}
define <2 x float> @whole(<2 x float> %v) {
  %r = call <2 x float> (ptr, ...) @__enzyme_autodiff.whole(ptr @g, <2 x float> %v)
  ret <2 x float> %r
}
declare <2 x float> @__enzyme_autodiff.whole(ptr, ...)
declare double @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
