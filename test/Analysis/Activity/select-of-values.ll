; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A select is active if one side is; its condition counts for nothing.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c, i1 %t) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
; CHECK: i1 %t -> inactive
  %k = fmul double %c, %c                               ; CHECK: %k = {{.*}} -> inactive
  %v = fmul double %x, %c                               ; CHECK: %v = {{.*}} -> active
  %s = select i1 %t, double %v, double %k               ; CHECK: %s = {{.*}} -> active
  ret double %s                                         ; CHECK: ret double {{.*}} -> takes part
}
; Both sides are constants: which one is taken has no derivative.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %k = fmul double %c, %c                               ; CHECK: %k = {{.*}} -> inactive
  %t = fcmp olt double %x, %c                           ; CHECK: %t = {{.*}} -> inactive
  %s = select i1 %t, double %c, double %k               ; CHECK: %s = {{.*}} -> inactive
  %r = fmul double %x, %s                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define double @differentiate(double %a0, double %a1, i1 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1, i1 %a2)
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
