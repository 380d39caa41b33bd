; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An allocation that active data never reaches needs no shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
  %index = call noalias ptr @malloc(i64 64)             ; CHECK: %index = {{.*}} -> inactive
  %weight = call noalias ptr @malloc(i64 64)            ; CHECK: %weight = {{.*}} -> inactive
  store i64 %n, ptr %index                              ; CHECK: store i64 %n, ptr %index{{.*}} -> inactive
  store double 2.000000e+00, ptr %weight                ; CHECK: store double 2.000000e+00, ptr %weight{{.*}} -> inactive
  %i = load i64, ptr %index                             ; CHECK: %i = {{.*}} -> inactive
  %p = getelementptr double, ptr %weight, i64 %i        ; CHECK: %p = {{.*}} -> inactive
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %x, %k                               ; CHECK: %r = {{.*}} -> active
  call void @free(ptr %index)                           ; CHECK: call void @free(ptr %index){{.*}} -> inactive
  call void @free(ptr %weight)                          ; CHECK: call void @free(ptr %weight){{.*}} -> inactive
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; One weight is active.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
  %index = call noalias ptr @malloc(i64 64)             ; CHECK: %index = {{.*}} -> inactive
  %weight = call noalias ptr @malloc(i64 64)            ; CHECK: %weight = {{.*}} -> shadow
  store i64 %n, ptr %index                              ; CHECK: store i64 %n, ptr %index{{.*}} -> inactive
  store double %x, ptr %weight                          ; CHECK: store double %x, ptr %weight{{.*}} -> takes part
  %i = load i64, ptr %index                             ; CHECK: %i = {{.*}} -> inactive
  %p = getelementptr double, ptr %weight, i64 %i        ; CHECK: %p = {{.*}} -> shadow
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> active
  %r = fmul double %x, %k                               ; CHECK: %r = {{.*}} -> active
  call void @free(ptr %index)                           ; CHECK: call void @free(ptr %index){{.*}} -> inactive
  call void @free(ptr %weight)                          ; CHECK: call void @free(ptr %weight){{.*}} -> takes part
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare void @free(ptr)

define double @differentiate(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1)
  ret double %r
}

define double @differentiate_g(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, i64 %a1)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
