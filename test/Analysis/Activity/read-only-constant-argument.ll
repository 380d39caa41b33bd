; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant table, indexed by a number that comes from active memory.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr readonly %table) {
; CHECK: ptr %x -> shadow
; CHECK: {{.*}}%table -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %i = fptosi double %v to i64                          ; CHECK: %i = {{.*}} -> inactive
  %p = getelementptr double, ptr %table, i64 %i         ; CHECK: %p = {{.*}} -> inactive
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The same with a table that has a shadow.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr readonly %table) {
; CHECK: ptr %x -> shadow
; CHECK: {{.*}}%table -> shadow
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %i = fptosi double %v to i64                          ; CHECK: %i = {{.*}} -> inactive
  %p = getelementptr double, ptr %table, i64 %i         ; CHECK: %p = {{.*}} -> shadow
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> active
  %r = fmul double %k, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
