; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory is told apart by where it was allocated.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c, i64 %i) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
; CHECK: i64 %i -> inactive
  %a = call noalias ptr @malloc(i64 64)                 ; CHECK: %a = {{.*}} -> shadow
  %b = call noalias ptr @malloc(i64 64)                 ; CHECK: %b = {{.*}} -> inactive
  %pa = getelementptr double, ptr %a, i64 %i            ; CHECK: %pa = {{.*}} -> shadow
  %pb = getelementptr double, ptr %b, i64 %i            ; CHECK: %pb = {{.*}} -> inactive
  store double %x, ptr %pa                              ; CHECK: store double %x, ptr %pa{{.*}} -> takes part
  store double %c, ptr %pb                              ; CHECK: store double %c, ptr %pb{{.*}} -> inactive
  %va = load double, ptr %a                             ; CHECK: %va = {{.*}} -> active
  %vb = load double, ptr %b                             ; CHECK: %vb = {{.*}} -> inactive
  %r = fmul double %va, %vb                             ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; One allocation for both.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c, i64 %i) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
; CHECK: i64 %i -> inactive
  %a = call noalias ptr @malloc(i64 64)                 ; CHECK: %a = {{.*}} -> shadow
  %pa = getelementptr double, ptr %a, i64 %i            ; CHECK: %pa = {{.*}} -> shadow
  store double %x, ptr %pa                              ; CHECK: store double %x, ptr %pa{{.*}} -> takes part
  store double %c, ptr %a                               ; CHECK: store double %c, ptr %a{{.*}} -> takes part
  %va = load double, ptr %pa                            ; CHECK: %va = {{.*}} -> active
  %vb = load double, ptr %a                             ; CHECK: %vb = {{.*}} -> active
  %r = fmul double %va, %vb                             ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0, double %a1, i64 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1, i64 %a2)
  ret double %r
}

define double @differentiate_g(double %a0, double %a1, i64 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, double %a1, i64 %a2)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
