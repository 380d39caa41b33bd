; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vector is one value: active if an element is.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %v0 = insertelement <2 x double> poison, double %x, i64 0 ; CHECK: %v0 = {{.*}} -> active
  %v = insertelement <2 x double> %v0, double %c, i64 1 ; CHECK: %v = {{.*}} -> active
  %w = fmul <2 x double> %v, %v                         ; CHECK: %w = {{.*}} -> active
  %sh = shufflevector <2 x double> %w, <2 x double> poison, <2 x i32> <i32 1, i32 0> ; CHECK: %sh = {{.*}} -> active
  %r = extractelement <2 x double> %sh, i64 1           ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; No element is.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %v0 = insertelement <2 x double> poison, double %c, i64 0 ; CHECK: %v0 = {{.*}} -> inactive
  %v = insertelement <2 x double> %v0, double %c, i64 1 ; CHECK: %v = {{.*}} -> inactive
  %w = fmul <2 x double> %v, %v                         ; CHECK: %w = {{.*}} -> inactive
  %k = extractelement <2 x double> %w, i64 1            ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define double @differentiate(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1)
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
