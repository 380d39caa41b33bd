; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a comparison says of active data is a number.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %y) {
; CHECK: double %x -> inactive
; CHECK: double %y -> active
  %t = fcmp ogt double %x, %y                           ; CHECK: %t = {{.*}} -> inactive
  %i = zext i1 %t to i32                                ; CHECK: %i = {{.*}} -> inactive
  %k = uitofp i32 %i to double                          ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %y                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; A difference that is not compared.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %y) {
; CHECK: double %x -> active
; CHECK: double %y -> active
  %t = fsub double %x, %y                               ; CHECK: %t = {{.*}} -> active
  %r = fmul double %t, %y                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define { double, double } @differentiate(double %a0, double %a1) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, double %a1)
  ret { double, double } %r
}

define { double, double } @differentiate_g(double %a0, double %a1) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, double %a1)
  ret { double, double } %r
}
declare { double, double } @__enzyme_autodiff_f(ptr, ...)
declare { double, double } @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
