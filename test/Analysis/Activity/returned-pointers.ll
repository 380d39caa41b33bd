; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee that returns one of its arguments.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal ptr @first(ptr %p, ptr %q) noinline {
  %d = getelementptr i8, ptr %p, i64 8
  ret ptr %d
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %p = call ptr @first(ptr %x, ptr %c)                  ; CHECK: %p = {{.*}} -> shadow
  %r = load double, ptr %p                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The other way round: it returns the constant one.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %p = call ptr @first(ptr %c, ptr %x)                  ; CHECK: %p = {{.*}} -> takes part
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %r = fmul double %k, %v                               ; CHECK: %r = {{.*}} -> active
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
