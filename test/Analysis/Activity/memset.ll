; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Setting memory that has a shadow sets the shadow too.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @malloc(i64 16)                 ; CHECK: %a = {{.*}} -> shadow
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 16, i1 false) ; CHECK: call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 16, i1 false){{.*}} -> takes part
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> takes part
  %r = load double, ptr %a                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Nothing else is stored there.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @malloc(i64 16)                 ; CHECK: %a = {{.*}} -> inactive
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 16, i1 false) ; CHECK: call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 16, i1 false){{.*}} -> inactive
  %k = load double, ptr %a                              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

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
