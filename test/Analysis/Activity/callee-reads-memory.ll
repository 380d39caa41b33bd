; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory that a callee reads is useful if the callee's result is.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal double @sum(ptr %p) noinline {
  %q = getelementptr i8, ptr %p, i64 8
  %a = load double, ptr %p
  %b = load double, ptr %q
  %s = fadd double %a, %b
  ret double %s
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %m = call noalias ptr @calloc(i64 2, i64 8)           ; CHECK: %m = {{.*}} -> shadow
  store double %x, ptr %m                               ; CHECK: store double %x, ptr %m{{.*}} -> takes part
  %r = call double @sum(ptr %m)                         ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The result is only compared.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %m = call noalias ptr @calloc(i64 2, i64 8)           ; CHECK: %m = {{.*}} -> inactive
  store double %x, ptr %m                               ; CHECK: store double %x, ptr %m{{.*}} -> inactive
  %k = call double @sum(ptr %m)                         ; CHECK: %k = {{.*}} -> inactive
  %t = fcmp ogt double %k, 0.0                          ; CHECK: %t = {{.*}} -> inactive
  %r = select i1 %t, double %x, double 0.0              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @calloc(i64, i64)

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
  ret double %r
}

define double @differentiate_g(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
