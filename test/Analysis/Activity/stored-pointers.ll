; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer kept in memory leads where it was stored from.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %t = call noalias ptr @malloc(i64 8)                  ; CHECK: %t = {{.*}} -> shadow
  %u = call noalias ptr @malloc(i64 8)                  ; CHECK: %u = {{.*}} -> inactive
  store ptr %x, ptr %t                                  ; CHECK: store ptr %x, ptr %t{{.*}} -> takes part
  store ptr %c, ptr %u                                  ; CHECK: store ptr %c, ptr %u{{.*}} -> inactive
  %p = load ptr, ptr %t                                 ; CHECK: %p = {{.*}} -> shadow
  %q = load ptr, ptr %u                                 ; CHECK: %q = {{.*}} -> inactive
  %a = load double, ptr %p                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %q                              ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The pointer is stored and never followed: the cell needs no shadow.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x) {
; CHECK: ptr %x -> shadow
  %t = call noalias ptr @malloc(i64 8)                  ; CHECK: %t = {{.*}} -> inactive
  store ptr %x, ptr %t                                  ; CHECK: store ptr %x, ptr %t{{.*}} -> inactive
  %p = load ptr, ptr %t                                 ; CHECK: %p = {{.*}} -> inactive
  %e = icmp eq ptr %p, null                             ; CHECK: %e = {{.*}} -> inactive
  %a = load double, ptr %x                              ; CHECK: %a = {{.*}} -> active
  %r = select i1 %e, double 0.0, double %a              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1)
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
