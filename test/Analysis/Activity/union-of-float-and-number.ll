; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One place, used for a float and for a number.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n, i1 %t) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
; CHECK: i1 %t -> inactive
entry:
  %u = call noalias ptr @malloc(i64 8)                  ; CHECK: %u = {{.*}} -> shadow
  br i1 %t, label %float, label %number
float:
  store double %x, ptr %u                               ; CHECK: store double %x, ptr %u{{.*}} -> takes part
  br label %join
number:
  store i64 %n, ptr %u                                  ; CHECK: store i64 %n, ptr %u{{.*}} -> takes part
  br label %join
join:
  %r = load double, ptr %u                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Only numbers are stored.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, i64 %n, i1 %t) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
; CHECK: i1 %t -> inactive
  %u = call noalias ptr @malloc(i64 8)                  ; CHECK: %u = {{.*}} -> inactive
  store i64 %n, ptr %u                                  ; CHECK: store i64 %n, ptr %u{{.*}} -> inactive
  %i = load i64, ptr %u                                 ; CHECK: %i = {{.*}} -> inactive
  %k = uitofp i64 %i to double                          ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0, i64 %a1, i1 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1, i1 %a2)
  ret double %r
}

define double @differentiate_g(double %a0, i64 %a1, i1 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, i64 %a1, i1 %a2)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
