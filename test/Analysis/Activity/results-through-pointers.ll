; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Library functions that write a second result through a pointer: whole numbers
; both, the derivative of which is zero.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %p = call noalias ptr @malloc(i64 8)                  ; CHECK: %p = {{.*}} -> inactive
  %frac = call double @modf(double %x, ptr %p)          ; CHECK: %frac = {{.*}} -> active
  %i = call noalias ptr @malloc(i64 4)                  ; CHECK: %i = {{.*}} -> inactive
  %m = call double @frexp(double %frac, ptr %i)         ; CHECK: %m = {{.*}} -> active
  %e = load i32, ptr %i                                 ; CHECK: %e = {{.*}} -> inactive
  %k = sitofp i32 %e to double                          ; CHECK: %k = {{.*}} -> inactive
  %mk = fmul double %m, %k                              ; CHECK: %mk = {{.*}} -> active
  %whole = load double, ptr %p                          ; CHECK: %whole = {{.*}} -> inactive
  %r = fmul double %mk, %whole                          ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Of a constant.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %p = call noalias ptr @malloc(i64 8)                  ; CHECK: %p = {{.*}} -> inactive
  %frac = call double @modf(double %c, ptr %p)          ; CHECK: %frac = {{.*}} -> inactive
  %whole = load double, ptr %p                          ; CHECK: %whole = {{.*}} -> inactive
  %k = fmul double %frac, %whole                        ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare double @modf(double, ptr)
declare double @frexp(double, ptr)

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
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
