; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Both results in memory: each has a shadow if it is used.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %s = call noalias ptr @malloc(i64 8)                  ; CHECK: %s = {{.*}} -> shadow
  %c = call noalias ptr @malloc(i64 8)                  ; CHECK: %c = {{.*}} -> shadow
  call void @sincos(double %x, ptr %s, ptr %c)          ; CHECK: call void @sincos(double %x, ptr %s, ptr %c){{.*}} -> takes part
  %a = load double, ptr %s                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %c                              ; CHECK: %b = {{.*}} -> active
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The sine is not read.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %s = call noalias ptr @malloc(i64 8)                  ; CHECK: %s = {{.*}} -> inactive
  %c = call noalias ptr @malloc(i64 8)                  ; CHECK: %c = {{.*}} -> shadow
  call void @sincos(double %x, ptr %s, ptr %c)          ; CHECK: call void @sincos(double %x, ptr %s, ptr %c){{.*}} -> takes part
  %b = load double, ptr %c                              ; CHECK: %b = {{.*}} -> active
  ret double %b                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare void @sincos(double, ptr, ptr)

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
