; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One function under a reverse and a forward request. In reverse mode only what
; reaches the result counts; in forward mode too, and both agree.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, double %c) {
; CHECK: ptr %x -> shadow
; CHECK: double %c -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %dead = fmul double %v, %v                            ; CHECK: %dead = {{.*}} -> inactive
  %t = fcmp ogt double %dead, 1.0                       ; CHECK: %t = {{.*}} -> inactive
  %k = select i1 %t, double %c, double 2.0              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; A forward request whose result is asked for, with the same answers.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, double %c) {
; CHECK: ptr %x -> shadow
; CHECK: double %c -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %dead = fmul double %v, %v                            ; CHECK: %dead = {{.*}} -> inactive
  %t = fcmp ogt double %dead, 1.0                       ; CHECK: %t = {{.*}} -> inactive
  %k = select i1 %t, double %c, double 2.0              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0, double %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, double %a1)
  ret void
}

define double @differentiate_g_forward(ptr %a0, ptr %d0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_fwddiff_g(ptr @g, ptr %a0, ptr %d0, ptr @enzyme_const, double %a1)
  ret double %r
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_fwddiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
