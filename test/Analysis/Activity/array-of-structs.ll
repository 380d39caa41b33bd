; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An index not known at compile time reaches all elements and all their members.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

%pair = type { double, double }
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c, i64 %i) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
; CHECK: i64 %i -> inactive
  %s = call noalias ptr @malloc(i64 160)                ; CHECK: %s = {{.*}} -> shadow
  %pa = getelementptr %pair, ptr %s, i64 %i, i32 0      ; CHECK: %pa = {{.*}} -> shadow
  %pb = getelementptr %pair, ptr %s, i64 %i, i32 1      ; CHECK: %pb = {{.*}} -> shadow
  store double %x, ptr %pa                              ; CHECK: store double %x, ptr %pa{{.*}} -> takes part
  store double %c, ptr %pb                              ; CHECK: store double %c, ptr %pb{{.*}} -> takes part
  %a = load double, ptr %pa                             ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %pb                             ; CHECK: %b = {{.*}} -> active
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Constant indices keep elements and members apart.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %s = call noalias ptr @malloc(i64 160)                ; CHECK: %s = {{.*}} -> shadow
  %pa = getelementptr %pair, ptr %s, i64 3, i32 0       ; CHECK: %pa = {{.*}} -> shadow
  %pb = getelementptr %pair, ptr %s, i64 3, i32 1       ; CHECK: %pb = {{.*}} -> shadow
  store double %x, ptr %pa                              ; CHECK: store double %x, ptr %pa{{.*}} -> takes part
  store double %c, ptr %pb                              ; CHECK: store double %c, ptr %pb{{.*}} -> takes part
  %a = load double, ptr %pa                             ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %pb                             ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0, double %a1, i64 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1, i64 %a2)
  ret double %r
}

define double @differentiate_g(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
