; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is stored behind an argument with a shadow is useful: the caller reads it.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define void @f(ptr %x, ptr %y, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %y -> shadow
; CHECK: ptr %c -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %w = fmul double %v, %v                               ; CHECK: %w = {{.*}} -> active
  store double %w, ptr %y                               ; CHECK: store double %w, ptr %y{{.*}} -> takes part
  ret void
}
; Stored behind a constant argument instead.
; CHECK-LABEL: activity of adze.primal.g
define void @g(ptr %x, ptr %y, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %y -> shadow
; CHECK: ptr %c -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> inactive
  %w = fmul double %v, %v                               ; CHECK: %w = {{.*}} -> inactive
  store double %w, ptr %c                               ; CHECK: store double %w, ptr %c{{.*}} -> inactive
  store double 0.000000e+00, ptr %y                     ; CHECK: store double 0.000000e+00, ptr %y{{.*}} -> takes part
  ret void
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr @enzyme_const, ptr %a2)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr @enzyme_const, ptr %a2)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
