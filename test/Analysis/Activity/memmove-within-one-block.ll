; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An element moves up by one place in an array of constants and one active float.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @calloc(i64 2, i64 8)           ; CHECK: %a = {{.*}} -> shadow
  %a1 = getelementptr i8, ptr %a, i64 8                 ; CHECK: %a1 = {{.*}} -> shadow
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> takes part
  call void @llvm.memmove.p0.p0.i64(ptr %a1, ptr %a, i64 8, i1 false) ; CHECK: call void @llvm.memmove.p0.p0.i64(ptr %a1, ptr %a, i64 8, i1 false){{.*}} -> takes part
  %r = load double, ptr %a1                             ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; It moves down: the active float is overwritten, the other one moves.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @calloc(i64 3, i64 8)           ; CHECK: %a = {{.*}} -> inactive
  %a1 = getelementptr i8, ptr %a, i64 8                 ; CHECK: %a1 = {{.*}} -> inactive
  %a2 = getelementptr i8, ptr %a, i64 16                ; CHECK: %a2 = {{.*}} -> inactive
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> inactive
  call void @llvm.memmove.p0.p0.i64(ptr %a1, ptr %a2, i64 8, i1 false) ; CHECK: call void @llvm.memmove.p0.p0.i64(ptr %a1, ptr %a2, i64 8, i1 false){{.*}} -> inactive
  %k = load double, ptr %a1                             ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @calloc(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
  ret double %r
}

define double @differentiate_g(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
