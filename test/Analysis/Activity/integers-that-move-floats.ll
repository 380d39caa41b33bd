; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that copies doubles as integers of their size.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> shadow
  %b = call noalias ptr @malloc(i64 8)                  ; CHECK: %b = {{.*}} -> shadow
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> takes part
  %i = load i64, ptr %a                                 ; CHECK: %i = {{.*}} -> active
  store i64 %i, ptr %b                                  ; CHECK: store i64 %i, ptr %b{{.*}} -> takes part
  %r = load double, ptr %b                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; What is copied was stored as a number.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> inactive
  %b = call noalias ptr @malloc(i64 8)                  ; CHECK: %b = {{.*}} -> inactive
  store i64 %n, ptr %a                                  ; CHECK: store i64 %n, ptr %a{{.*}} -> inactive
  %i = load i64, ptr %a                                 ; CHECK: %i = {{.*}} -> inactive
  store i64 %i, ptr %b                                  ; CHECK: store i64 %i, ptr %b{{.*}} -> inactive
  %l = load i64, ptr %b                                 ; CHECK: %l = {{.*}} -> inactive
  %k = uitofp i64 %l to double                          ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
  ret double %r
}

define double @differentiate_g(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, i64 %a1)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
