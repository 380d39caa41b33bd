; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee that builds a structure of pointers, and one that reads through it.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal void @link(ptr %node, ptr %data) noinline {
  %p = getelementptr i8, ptr %node, i64 8
  store ptr %data, ptr %p
  ret void
}
define internal double @follow(ptr %node) noinline {
  %p = getelementptr i8, ptr %node, i64 8
  %d = load ptr, ptr %p
  %v = load double, ptr %d
  ret double %v
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x) {
; CHECK: ptr %x -> shadow
  %node = call noalias ptr @malloc(i64 16)              ; CHECK: %node = {{.*}} -> shadow
  call void @link(ptr %node, ptr %x)                    ; CHECK: call void @link(ptr %node, ptr %x){{.*}} -> takes part
  %r = call double @follow(ptr %node)                   ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; What the structure points to is constant.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %node = call noalias ptr @malloc(i64 16)              ; CHECK: %node = {{.*}} -> inactive
  call void @link(ptr %node, ptr %c)                    ; CHECK: call void @link(ptr %node, ptr %c){{.*}} -> inactive
  %k = call double @follow(ptr %node)                   ; CHECK: %k = {{.*}} -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %r = fmul double %k, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

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
