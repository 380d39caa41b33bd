; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reallocated memory holds what the old held.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> shadow
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> takes part
  %b = call ptr @realloc(ptr %a, i64 16)                ; CHECK: %b = {{.*}} -> shadow
  %p = getelementptr i8, ptr %b, i64 8                  ; CHECK: %p = {{.*}} -> shadow
  store double 1.000000e+00, ptr %p                     ; CHECK: store double 1.000000e+00, ptr %p{{.*}} -> takes part
  %v = load double, ptr %b                              ; CHECK: %v = {{.*}} -> active
  %w = load double, ptr %p                              ; CHECK: %w = {{.*}} -> inactive
  %r = fmul double %v, %w                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Filled with active data only after it was read for the last time.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> inactive
  store double %c, ptr %a                               ; CHECK: store double %c, ptr %a{{.*}} -> inactive
  %b = call ptr @realloc(ptr %a, i64 16)                ; CHECK: %b = {{.*}} -> inactive
  %v = load double, ptr %b                              ; CHECK: %v = {{.*}} -> inactive
  %p = getelementptr i8, ptr %b, i64 8                  ; CHECK: %p = {{.*}} -> inactive
  store double %x, ptr %p                               ; CHECK: store double %x, ptr %p{{.*}} -> inactive
  call void @free(ptr %b)                               ; CHECK: call void @free(ptr %b){{.*}} -> inactive
  %r = fmul double %v, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
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
