; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; fabs, negation and copysign by masks keep the float.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %y: {[0]:Float@double}{{$}}
; CHECK-DAG:   %xi: {[0]:Float@double}{{$}}
; CHECK-DAG:   %yi: {[0]:Float@double}{{$}}
; CHECK-DAG:   %mag: {[0]:Float@double}{{$}}
; CHECK-DAG:   %sign: {[0]:Float@double}{{$}}
; CHECK-DAG:   %both: {[0]:Float@double}{{$}}
; CHECK-DAG:   %neg: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

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
