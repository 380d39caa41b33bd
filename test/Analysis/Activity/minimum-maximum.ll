; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Minimum and maximum of floats carry activity, those of numbers do not.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %y) {
; CHECK: double %x -> active
; CHECK: double %y -> active
  %m = call double @llvm.minnum.f64(double %x, double 1.0) ; CHECK: %m = {{.*}} -> active
  %n = call double @fmax(double %m, double %y)          ; CHECK: %n = {{.*}} -> active
  ret double %n                                         ; CHECK: ret double {{.*}} -> takes part
}
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %y) {
; CHECK: double %x -> active
; CHECK: double %y -> inactive
  %i = fptosi double %x to i64                          ; CHECK: %i = {{.*}} -> inactive
  %m = call i64 @llvm.smin.i64(i64 %i, i64 7)           ; CHECK: %m = {{.*}} -> inactive
  %k = sitofp i64 %m to double                          ; CHECK: %k = {{.*}} -> inactive
  %n = call double @fmax(double %k, double %y)          ; CHECK: %n = {{.*}} -> inactive
  %r = fmul double %n, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare double @llvm.minnum.f64(double, double)
declare double @fmax(double, double)
declare i64 @llvm.smin.i64(i64, i64)

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
