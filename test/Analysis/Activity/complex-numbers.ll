; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Complex numbers in registers: active as a whole where one part is.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %z = call { double, double } @cexp(double %x, double %c) ; CHECK: %z = {{.*}} -> active
  %re = extractvalue { double, double } %z, 0           ; CHECK: %re = {{.*}} -> active
  %im = extractvalue { double, double } %z, 1           ; CHECK: %im = {{.*}} -> active
  %r = fmul double %re, %im                             ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; No part is.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %z = call { double, double } @cexp(double %c, double %c) ; CHECK: %z = {{.*}} -> inactive
  %re = extractvalue { double, double } %z, 0           ; CHECK: %re = {{.*}} -> inactive
  %a = call double @cabs(double %re, double %c)         ; CHECK: %a = {{.*}} -> inactive
  %r = fmul double %a, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare { double, double } @cexp(double, double)
declare double @cabs(double, double)

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
