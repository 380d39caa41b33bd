; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure behind an argument with a shadow: all its floats are active, by
; what the caller said; one on the heap is told apart by members.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

%pair = type { double, double }
; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %s) {
; CHECK: ptr %s -> shadow
  %pb = getelementptr %pair, ptr %s, i64 0, i32 1       ; CHECK: %pb = {{.*}} -> shadow
  %a = load double, ptr %s                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %pb                             ; CHECK: %b = {{.*}} -> active
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %s = call noalias ptr @malloc(i64 16)                 ; CHECK: %s = {{.*}} -> shadow
  %pb = getelementptr %pair, ptr %s, i64 0, i32 1       ; CHECK: %pb = {{.*}} -> shadow
  store double %x, ptr %s                               ; CHECK: store double %x, ptr %s{{.*}} -> takes part
  store double %c, ptr %pb                              ; CHECK: store double %c, ptr %pb{{.*}} -> takes part
  %a = load double, ptr %s                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %pb                             ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
  ret void
}

define double @differentiate_g(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
