; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Active memory at the third level: all levels above have a shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> shadow
  %b = call noalias ptr @malloc(i64 8)                  ; CHECK: %b = {{.*}} -> shadow
  %c = call noalias ptr @malloc(i64 8)                  ; CHECK: %c = {{.*}} -> shadow
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> takes part
  store ptr %a, ptr %b                                  ; CHECK: store ptr %a, ptr %b{{.*}} -> takes part
  store ptr %b, ptr %c                                  ; CHECK: store ptr %b, ptr %c{{.*}} -> takes part
  %l = load ptr, ptr %c                                 ; CHECK: %l = {{.*}} -> shadow
  %m = load ptr, ptr %l                                 ; CHECK: %m = {{.*}} -> shadow
  %r = load double, ptr %m                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Two levels are followed, the float is not read.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> inactive
  %b = call noalias ptr @malloc(i64 8)                  ; CHECK: %b = {{.*}} -> inactive
  %c = call noalias ptr @malloc(i64 8)                  ; CHECK: %c = {{.*}} -> inactive
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> inactive
  store ptr %a, ptr %b                                  ; CHECK: store ptr %a, ptr %b{{.*}} -> inactive
  store ptr %b, ptr %c                                  ; CHECK: store ptr %b, ptr %c{{.*}} -> inactive
  %l = load ptr, ptr %c                                 ; CHECK: %l = {{.*}} -> inactive
  %m = load ptr, ptr %l                                 ; CHECK: %m = {{.*}} -> inactive
  %e = icmp eq ptr %m, null                             ; CHECK: %e = {{.*}} -> inactive
  %r = select i1 %e, double 0.0, double %x              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

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
