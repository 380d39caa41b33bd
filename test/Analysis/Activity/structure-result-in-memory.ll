; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure that is returned through memory, with an active and a constant
; member.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

%triple = type { double, double, double }
define internal void @make(ptr sret(%triple) %to, double %a, double %b) noinline {
  %p = getelementptr i8, ptr %to, i64 8
  %q = getelementptr i8, ptr %to, i64 16
  store double %a, ptr %to
  store double %b, ptr %p
  store double 1.0, ptr %q
  ret void
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %s = call noalias ptr @malloc(i64 24)                 ; CHECK: %s = {{.*}} -> shadow
  call void @make(ptr sret(%triple) %s, double %x, double %c) ; CHECK: call void @make(ptr sret(%triple) %s, double %x, double %c){{.*}} -> takes part
  %p = getelementptr i8, ptr %s, i64 8                  ; CHECK: %p = {{.*}} -> inactive
  %a = load double, ptr %s                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %p                              ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Only the constant member is read; the callee is not told so (see "where it is
; imprecise" in Activity.md).
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %y, double %c) {
; CHECK: double %x -> active
; CHECK: double %y -> active
; CHECK: double %c -> inactive
  %s = call noalias ptr @malloc(i64 24)                 ; CHECK: %s = {{.*}} -> shadow
  call void @make(ptr sret(%triple) %s, double %x, double %c) ; CHECK: call void @make(ptr sret(%triple) %s, double %x, double %c){{.*}} -> takes part
  %p = getelementptr i8, ptr %s, i64 8                  ; CHECK: %p = {{.*}} -> inactive
  %b = load double, ptr %p                              ; CHECK: %b = {{.*}} -> inactive
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
