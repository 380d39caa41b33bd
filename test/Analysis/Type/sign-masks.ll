; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; fabs, negation and copysign by masks keep the float.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-NEXT:  %x: {[0]:Float@double}
; CHECK-NEXT:  %y: {[0]:Float@double}
; CHECK-NEXT:  %xi: {[0]:Float@double}
; CHECK-NEXT:  %yi: {[0]:Float@double}
; CHECK-NEXT:  %mag: {[0]:Float@double}
; CHECK-NEXT:  %sign: {[0]:Float@double}
; CHECK-NEXT:  %both: {[0]:Float@double}
; CHECK-NEXT:  %neg: {[0]:Float@double}
; CHECK-NEXT:  return: {[0]:Float@double}

define double @f(double %x, double %y) {
  %xi = bitcast double %x to i64
  %yi = bitcast double %y to i64
  %mag = and i64 %xi, 9223372036854775807
  %sign = and i64 %yi, -9223372036854775808
  %both = or i64 %mag, %sign
  %neg = xor i64 %both, -9223372036854775808
  %r = bitcast i64 %neg to double
  ret double %r
}

define void @differentiate(double %a0, double %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, double %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
