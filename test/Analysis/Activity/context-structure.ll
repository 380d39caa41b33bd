; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure of pointers that is handed on as a context: what its members lead
; to is told apart by the callee's caller.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal double @evaluate(ptr %context) noinline {
  %wp = getelementptr i8, ptr %context, i64 8
  %d = load ptr, ptr %context
  %w = load ptr, ptr %wp
  %v = load double, ptr %d
  %k = load double, ptr %w
  %r = fmul double %v, %k
  ret double %r
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %s = call noalias ptr @malloc(i64 16)                 ; CHECK: %s = {{.*}} -> shadow
  %s1 = getelementptr i8, ptr %s, i64 8                 ; CHECK: %s1 = {{.*}} -> shadow
  store ptr %x, ptr %s                                  ; CHECK: store ptr %x, ptr %s{{.*}} -> takes part
  store ptr %c, ptr %s1                                 ; CHECK: store ptr %c, ptr %s1{{.*}} -> takes part
  %r = call double @evaluate(ptr %s)                    ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Both are constant.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %c) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
  %s = call noalias ptr @malloc(i64 16)                 ; CHECK: %s = {{.*}} -> inactive
  %s1 = getelementptr i8, ptr %s, i64 8                 ; CHECK: %s1 = {{.*}} -> inactive
  store ptr %c, ptr %s                                  ; CHECK: store ptr %c, ptr %s{{.*}} -> inactive
  store ptr %c, ptr %s1                                 ; CHECK: store ptr %c, ptr %s1{{.*}} -> inactive
  %k = call double @evaluate(ptr %s)                    ; CHECK: %k = {{.*}} -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %r = fmul double %k, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

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
