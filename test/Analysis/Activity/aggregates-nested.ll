; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Members of members, and whole members moved.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %in0 = insertvalue { double, float } poison, double %x, 0 ; CHECK: %in0 = {{.*}} -> active
  %s0 = insertvalue { double, { double, float } } poison, double %c, 0 ; CHECK: %s0 = {{.*}} -> inactive
  %s = insertvalue { double, { double, float } } %s0, { double, float } %in0, 1 ; CHECK: %s = {{.*}} -> active
  %k = extractvalue { double, { double, float } } %s, 0 ; CHECK: %k = {{.*}} -> inactive
  %m = extractvalue { double, { double, float } } %s, 1 ; CHECK: %m = {{.*}} -> active
  %a = extractvalue { double, float } %m, 0             ; CHECK: %a = {{.*}} -> active
  %r = fmul double %a, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The other member is taken out.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %in0 = insertvalue { double, float } poison, double %x, 0 ; CHECK: %in0 = {{.*}} -> inactive
  %s0 = insertvalue { double, { double, float } } poison, double %c, 0 ; CHECK: %s0 = {{.*}} -> inactive
  %s = insertvalue { double, { double, float } } %s0, { double, float } %in0, 1 ; CHECK: %s = {{.*}} -> inactive
  %k = extractvalue { double, { double, float } } %s, 0 ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %x, %k                               ; CHECK: %r = {{.*}} -> active
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
