; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block copy carries activity to the bytes it covers.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %a = call noalias ptr @malloc(i64 16)                 ; CHECK: %a = {{.*}} -> shadow
  %b = call noalias ptr @malloc(i64 16)                 ; CHECK: %b = {{.*}} -> shadow
  %a1 = getelementptr i8, ptr %a, i64 8                 ; CHECK: %a1 = {{.*}} -> shadow
  %b1 = getelementptr i8, ptr %b, i64 8                 ; CHECK: %b1 = {{.*}} -> inactive
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> takes part
  store double %c, ptr %a1                              ; CHECK: store double %c, ptr %a1{{.*}} -> takes part
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false) ; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false){{.*}} -> takes part
  %v = load double, ptr %b                              ; CHECK: %v = {{.*}} -> active
  %w = load double, ptr %b1                             ; CHECK: %w = {{.*}} -> inactive
  %r = fmul double %v, %w                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Only the constant half is copied.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %a = call noalias ptr @malloc(i64 16)                 ; CHECK: %a = {{.*}} -> inactive
  %b = call noalias ptr @malloc(i64 16)                 ; CHECK: %b = {{.*}} -> inactive
  %a1 = getelementptr i8, ptr %a, i64 8                 ; CHECK: %a1 = {{.*}} -> inactive
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> inactive
  store double %c, ptr %a1                              ; CHECK: store double %c, ptr %a1{{.*}} -> inactive
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a1, i64 8, i1 false) ; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a1, i64 8, i1 false){{.*}} -> inactive
  %w = load double, ptr %b                              ; CHECK: %w = {{.*}} -> inactive
  %r = fmul double %x, %w                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @differentiate(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}

define double @differentiate_g(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
