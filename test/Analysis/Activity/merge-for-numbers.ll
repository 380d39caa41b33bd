; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A merged pointer through which only numbers are read needs no shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr %c, i1 %t) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
; CHECK: i1 %t -> inactive
  %p = select i1 %t, ptr %x, ptr %c                     ; CHECK: %p = {{.*}} -> inactive
  %n = load i32, ptr %p                                 ; CHECK: %n = {{.*}} -> inactive
  %xp = getelementptr i8, ptr %x, i64 8                 ; CHECK: %xp = {{.*}} -> shadow
  %v = load double, ptr %xp                             ; CHECK: %v = {{.*}} -> active
  %k = sitofp i32 %n to double                          ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; A float.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %c, i1 %t) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
; CHECK: i1 %t -> inactive
  %p = select i1 %t, ptr %x, ptr %c                     ; CHECK: %p = {{.*}} -> shadow or self
  %n = load float, ptr %p                               ; CHECK: %n = {{.*}} -> active
  %xp = getelementptr i8, ptr %x, i64 8                 ; CHECK: %xp = {{.*}} -> shadow
  %v = load double, ptr %xp                             ; CHECK: %v = {{.*}} -> active
  %k = fpext float %n to double                         ; CHECK: %k = {{.*}} -> active
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, i1 %a2) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1, i1 %a2)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, i1 %a2) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1, i1 %a2)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
