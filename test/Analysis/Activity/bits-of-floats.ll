; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The bits of a float that travel as an integer stay active.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %b = bitcast double %x to i64                         ; CHECK: %b = {{.*}} -> active
  %n = xor i64 %b, -9223372036854775808                 ; CHECK: %n = {{.*}} -> active
  %r = bitcast i64 %n to double                         ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The sign as a number.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %b = bitcast double %x to i64                         ; CHECK: %b = {{.*}} -> inactive
  %n = icmp slt i64 %b, 0                               ; CHECK: %n = {{.*}} -> inactive
  %k = uitofp i1 %n to double                           ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
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
