; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee without active arguments that returns a structure of constants: its
; tangent is zero, the structure is not its own tangent.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal { double, double } @start() noinline {
  ret { double, double } { double 0.0, double 1.0 }
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %s = call { double, double } @start()                 ; CHECK: %s = {{.*}} -> inactive
  %a = extractvalue { double, double } %s, 1            ; CHECK: %a = {{.*}} -> inactive
  %r = fmul double %a, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; One member depends on the argument, and it is that which is used.
define internal { double, double } @mixed(double %v) noinline {
  %s = insertvalue { double, double } { double 0.0, double 1.0 }, double %v, 1
  ret { double, double } %s
}
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %s = call { double, double } @mixed(double %x)        ; CHECK: %s = {{.*}} -> active
  %a = extractvalue { double, double } %s, 1            ; CHECK: %a = {{.*}} -> active
  %k = extractvalue { double, double } %s, 0            ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %a, %k                               ; CHECK: %r = {{.*}} -> active
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
