; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block copy carries pointers too.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x) {
; CHECK: ptr %x -> shadow
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> shadow
  %b = call noalias ptr @malloc(i64 8)                  ; CHECK: %b = {{.*}} -> shadow
  store ptr %x, ptr %a                                  ; CHECK: store ptr %x, ptr %a{{.*}} -> takes part
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false) ; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false){{.*}} -> takes part
  %p = load ptr, ptr %b                                 ; CHECK: %p = {{.*}} -> shadow
  %r = load double, ptr %p                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The pointer behind which is nothing active.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> inactive
  %b = call noalias ptr @malloc(i64 8)                  ; CHECK: %b = {{.*}} -> inactive
  store ptr %c, ptr %a                                  ; CHECK: store ptr %c, ptr %a{{.*}} -> inactive
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false) ; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false){{.*}} -> inactive
  %p = load ptr, ptr %b                                 ; CHECK: %p = {{.*}} -> inactive
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %r = fmul double %k, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
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
