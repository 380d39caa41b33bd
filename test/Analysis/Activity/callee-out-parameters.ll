; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee with two results through pointers, one active and one constant.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal void @both(double %a, double %b, ptr %p, ptr %q) noinline {
  %aa = fmul double %a, %a
  %bb = fmul double %b, %b
  store double %aa, ptr %p
  store double %bb, ptr %q
  ret void
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %p = call noalias ptr @malloc(i64 8)                  ; CHECK: %p = {{.*}} -> shadow
  %q = call noalias ptr @malloc(i64 8)                  ; CHECK: %q = {{.*}} -> inactive
  call void @both(double %x, double %c, ptr %p, ptr %q) ; CHECK: call void @both(double %x, double %c, ptr %p, ptr %q){{.*}} -> takes part
  %a = load double, ptr %p                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %q                              ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The active result is thrown away, the constant one is used.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %y, double %c) {
; CHECK: double %x -> inactive
; CHECK: double %y -> active
; CHECK: double %c -> inactive
  %p = call noalias ptr @malloc(i64 8)                  ; CHECK: %p = {{.*}} -> inactive
  %q = call noalias ptr @malloc(i64 8)                  ; CHECK: %q = {{.*}} -> inactive
  call void @both(double %x, double %c, ptr %p, ptr %q) ; CHECK: call void @both(double %x, double %c, ptr %p, ptr %q){{.*}} -> inactive
  %b = load double, ptr %q                              ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %y, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}

define { double, double } @differentiate_g(double %a0, double %a1, double %a2) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, double %a1, ptr @enzyme_const, double %a2)
  ret { double, double } %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare { double, double } @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
