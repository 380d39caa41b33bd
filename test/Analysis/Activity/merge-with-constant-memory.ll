; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One pointer to memory with a shadow or to memory that is constant by
; declaration: it is told at run time whether there is a shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr %c, i1 %t) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
; CHECK: i1 %t -> inactive
  %p = select i1 %t, ptr %x, ptr %c                     ; CHECK: %p = {{.*}} -> shadow or self
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  %r = fmul double %v, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Both sides have a shadow.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %y, i1 %t) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %y -> shadow
; CHECK: i1 %t -> inactive
  %p = select i1 %t, ptr %x, ptr %y                     ; CHECK: %p = {{.*}} -> shadow
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  %r = fmul double %v, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, i1 %a2) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1, i1 %a2)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
