; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One callee, called with an active and with a constant argument: each call is
; looked at in its own context.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal double @square(double %v) noinline {
  %s = fmul double %v, %v
  ret double %s
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %a = call double @square(double %x)                   ; CHECK: %a = {{.*}} -> active
  %b = call double @square(double %c)                   ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The result of the active call is only compared: neither call takes part.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %y, double %c) {
; CHECK: double %x -> inactive
; CHECK: double %y -> active
; CHECK: double %c -> inactive
  %a = call double @square(double %x)                   ; CHECK: %a = {{.*}} -> inactive
  %b = call double @square(double %c)                   ; CHECK: %b = {{.*}} -> inactive
  %t = fcmp ogt double %a, %b                           ; CHECK: %t = {{.*}} -> inactive
  %r = select i1 %t, double %y, double %b               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define double @differentiate(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}

define { double, double } @differentiate_g(double %a0, double %a1, double %a2) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, double %a1, ptr @enzyme_const, double %a2)
  ret { double, double } %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare { double, double } @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
