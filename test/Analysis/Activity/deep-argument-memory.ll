; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory behind an argument with a shadow is active at any depth, memory behind
; a constant argument at none.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %x1 = load ptr, ptr %x                                ; CHECK: %x1 = {{.*}} -> shadow
  %x2 = load ptr, ptr %x1                               ; CHECK: %x2 = {{.*}} -> shadow
  %a = load double, ptr %x2                             ; CHECK: %a = {{.*}} -> active
  %c1 = load ptr, ptr %c                                ; CHECK: %c1 = {{.*}} -> inactive
  %c2 = load ptr, ptr %c1                               ; CHECK: %c2 = {{.*}} -> inactive
  %b = load double, ptr %c2                             ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Read for a comparison only.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %x1 = load ptr, ptr %x                                ; CHECK: %x1 = {{.*}} -> inactive
  %x2 = load ptr, ptr %x1                               ; CHECK: %x2 = {{.*}} -> inactive
  %a = load double, ptr %x2                             ; CHECK: %a = {{.*}} -> inactive
  %t = fcmp ogt double %a, 0.0                          ; CHECK: %t = {{.*}} -> inactive
  %b = load double, ptr %x                              ; CHECK: %b = {{.*}} -> active
  %r = select i1 %t, double %b, double 0.0              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
