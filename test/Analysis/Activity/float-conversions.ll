; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Conversions between floats carry activity.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %h = fptrunc double %x to float                       ; CHECK: %h = {{.*}} -> active
  %s = fmul float %h, %h                                ; CHECK: %s = {{.*}} -> active
  %w = fpext float %s to double                         ; CHECK: %w = {{.*}} -> active
  ret double %w                                         ; CHECK: ret double {{.*}} -> takes part
}
; The same way through a number of the same size: its derivative is zero.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %h = fptosi double %x to i64                          ; CHECK: %h = {{.*}} -> inactive
  %s = mul i64 %h, %h                                   ; CHECK: %s = {{.*}} -> inactive
  %w = sitofp i64 %s to double                          ; CHECK: %w = {{.*}} -> inactive
  %r = fmul double %w, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

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
