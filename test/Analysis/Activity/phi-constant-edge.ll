; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A phi is active if one edge brings active data, the other being constant.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
entry:
  %t = fcmp olt double %x, 0.0                          ; CHECK: %t = {{.*}} -> inactive
  br i1 %t, label %low, label %join
low:
  br label %join
join:
  %p = phi double [ 0.0, %low ], [ %x, %entry ]         ; CHECK: %p = {{.*}} -> active
  %r = fmul double %p, %p                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Constants on both edges.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
entry:
  %t = fcmp olt double %x, 0.0                          ; CHECK: %t = {{.*}} -> inactive
  br i1 %t, label %low, label %join
low:
  br label %join
join:
  %p = phi double [ 0.0, %low ], [ 1.0, %entry ]        ; CHECK: %p = {{.*}} -> inactive
  %s = fmul double %p, %p                               ; CHECK: %s = {{.*}} -> inactive
  %r = fmul double %x, %s                               ; CHECK: %r = {{.*}} -> active
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
