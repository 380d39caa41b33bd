; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that contains markers, differentiated: what is constant for the
; inner derivative is active for the outer one.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define double @inner(double %x, double %c) {
  %xx = fmul double %x, %x
  %r = fmul double %xx, %c
  ret double %r
}
define double @outer(double %x, double %c) {
  %d = call double (ptr, ...) @__enzyme_fwddiff_inner(ptr @inner, double %x, double 1.0, ptr @enzyme_const, double %c)
  %r = fmul double %d, %d
  ret double %r
}
; CHECK-LABEL: activity of adze.primal.outer
; CHECK: double %x -> active
; CHECK: double %c -> active
; CHECK: %r = {{.*}} -> active
; CHECK: ret double {{.*}} -> takes part
; Constant for the outer one as well.
define double @outer2(double %x, double %c) {
  %d = call double (ptr, ...) @__enzyme_fwddiff_inner(ptr @inner, double %x, double 1.0, ptr @enzyme_const, double %c)
  %r = fmul double %d, %d
  ret double %r
}
; CHECK-LABEL: activity of adze.primal.outer2
; CHECK: double %x -> active
; CHECK: double %c -> inactive
declare double @__enzyme_fwddiff_inner(ptr, ...)

define double @differentiate(double %a0, double %d0, double %a1, double %d1) {
  %r = call double (ptr, ...) @__enzyme_fwddiff_outer(ptr @outer, double %a0, double %d0, double %a1, double %d1)
  ret double %r
}

define double @differentiate_outer2_forward(double %a0, double %d0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_fwddiff_outer2(ptr @outer2, double %a0, double %d0, ptr @enzyme_const, double %a1)
  ret double %r
}
declare double @__enzyme_fwddiff_outer(ptr, ...)
declare double @__enzyme_fwddiff_outer2(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
