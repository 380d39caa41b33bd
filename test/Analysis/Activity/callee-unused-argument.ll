; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An active value for an argument that the callee does not use, or that it uses
; for decisions only.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal double @second(double %a, double %b) noinline {
  %t = fcmp ogt double %a, 0.0
  %s = select i1 %t, double %b, double 1.0
  ret double %s
}
; Only %y matters; and what goes to the comparison is not useful.
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %y) {
; CHECK: double %x -> inactive
; CHECK: double %y -> active
  %v = fmul double %x, %x                               ; CHECK: %v = {{.*}} -> inactive
  %r = call double @second(double %v, double %y)        ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Active, but not by way of the comparison: the call is inactive.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %k = call double @second(double %x, double %c)        ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define { double, double } @differentiate(double %a0, double %a1) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, double %a1)
  ret { double, double } %r
}

define double @differentiate_g(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}
declare { double, double } @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
