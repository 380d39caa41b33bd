; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Numbers in memory that has a shadow are not active, floats beside them are.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x) {
; CHECK: ptr %x -> shadow
  %n = load i32, ptr %x                                 ; CHECK: %n = {{.*}} -> inactive
  %p = getelementptr i8, ptr %x, i64 8                  ; CHECK: %p = {{.*}} -> shadow
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  %k = sitofp i32 %n to double                          ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; A float of the same size at the same place.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x) {
; CHECK: ptr %x -> shadow
  %n = load float, ptr %x                               ; CHECK: %n = {{.*}} -> active
  %p = getelementptr i8, ptr %x, i64 8                  ; CHECK: %p = {{.*}} -> shadow
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  %k = fpext float %n to double                         ; CHECK: %k = {{.*}} -> active
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
