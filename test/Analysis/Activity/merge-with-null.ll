; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer that may be null has the shadow of what it else points to.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, i1 %t) {
; CHECK: ptr %x -> shadow
; CHECK: i1 %t -> inactive
entry:
  %p = select i1 %t, ptr %x, ptr null                   ; CHECK: %p = {{.*}} -> shadow
  %n = icmp eq ptr %p, null                             ; CHECK: %n = {{.*}} -> inactive
  br i1 %n, label %exit, label %read
read:
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  %w = call double @sin(double %v)                      ; CHECK: %w = {{.*}} -> active
  br label %exit
exit:
  %r = phi double [ 0.0, %entry ], [ %w, %read ]        ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Compared, and never followed.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, i1 %t) {
; CHECK: ptr %x -> shadow
; CHECK: i1 %t -> inactive
entry:
  %p = select i1 %t, ptr %x, ptr null                   ; CHECK: %p = {{.*}} -> inactive
  %n = icmp eq ptr %p, null                             ; CHECK: %n = {{.*}} -> inactive
  br i1 %n, label %exit, label %read
read:
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %w = call double @sin(double %v)                      ; CHECK: %w = {{.*}} -> active
  br label %exit
exit:
  %r = phi double [ 0.0, %entry ], [ %w, %read ]        ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare double @sin(double)

define void @differentiate(ptr %a0, ptr %d0, i1 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, i1 %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, i1 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, i1 %a1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
