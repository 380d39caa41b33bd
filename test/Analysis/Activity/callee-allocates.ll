; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory that a callee allocates, fills and returns.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal ptr @box(double %v) noinline {
  %p = call noalias ptr @malloc(i64 8)
  store double %v, ptr %p
  ret ptr %p
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %p = call ptr @box(double %x)                         ; CHECK: %p = {{.*}} -> shadow
  %q = call ptr @box(double %c)                         ; CHECK: %q = {{.*}} -> inactive
  %a = load double, ptr %p                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %q                              ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The box is opened for a comparison only.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %y) {
; CHECK: double %x -> inactive
; CHECK: double %y -> active
  %p = call ptr @box(double %x)                         ; CHECK: %p = {{.*}} -> inactive
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> inactive
  %t = fcmp ogt double %v, 1.0                          ; CHECK: %t = {{.*}} -> inactive
  %r = select i1 %t, double %y, double 1.0              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}

define { double, double } @differentiate_g(double %a0, double %a1) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, double %a1)
  ret { double, double } %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare { double, double } @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
