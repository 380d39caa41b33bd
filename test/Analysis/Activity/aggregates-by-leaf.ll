; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure in registers with an active and a constant member.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %s0 = insertvalue { double, double } poison, double %x, 0 ; CHECK: %s0 = {{.*}} -> active
  %s = insertvalue { double, double } %s0, double %c, 1 ; CHECK: %s = {{.*}} -> active
  %a = extractvalue { double, double } %s, 0            ; CHECK: %a = {{.*}} -> active
  %b = extractvalue { double, double } %s, 1            ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The active member is overwritten before it is read.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %s0 = insertvalue { double, double } poison, double %x, 0 ; CHECK: %s0 = {{.*}} -> inactive
  %s1 = insertvalue { double, double } %s0, double %c, 1 ; CHECK: %s1 = {{.*}} -> inactive
  %s = insertvalue { double, double } %s1, double %c, 0 ; CHECK: %s = {{.*}} -> inactive
  %a = extractvalue { double, double } %s, 0            ; CHECK: %a = {{.*}} -> inactive
  %b = extractvalue { double, double } %s, 1            ; CHECK: %b = {{.*}} -> inactive
  %ab = fmul double %a, %b                              ; CHECK: %ab = {{.*}} -> inactive
  %r = fmul double %ab, %x                              ; CHECK: %r = {{.*}} -> active
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
