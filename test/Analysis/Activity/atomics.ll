; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic additions to memory with and without a shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %m = call noalias ptr @calloc(i64 1, i64 8)           ; CHECK: %m = {{.*}} -> shadow
  %old = atomicrmw fadd ptr %m, double %x monotonic     ; CHECK: %old = {{.*}} -> active
  %v = load double, ptr %m                              ; CHECK: %v = {{.*}} -> active
  %r = fadd double %v, %old                             ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; A counter.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %m = call noalias ptr @calloc(i64 1, i64 8)           ; CHECK: %m = {{.*}} -> inactive
  %old = atomicrmw add ptr %m, i64 1 monotonic          ; CHECK: %old = {{.*}} -> inactive
  %v = load i64, ptr %m                                 ; CHECK: %v = {{.*}} -> inactive
  %n = add i64 %v, %old                                 ; CHECK: %n = {{.*}} -> inactive
  %k = sitofp i64 %n to double                          ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
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
