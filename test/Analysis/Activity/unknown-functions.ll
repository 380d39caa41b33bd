; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function without a body that sees active memory takes part (and is refused
; later); what the declaration promises is believed.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %m = call noalias ptr @malloc(i64 8)                  ; CHECK: %m = {{.*}} -> shadow
  store double %x, ptr %m                               ; CHECK: store double %x, ptr %m{{.*}} -> takes part
  call void @mystery(ptr %m)                            ; CHECK: call void @mystery(ptr %m){{.*}} -> takes part
  %r = load double, ptr %m                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; One that only reads, and what it returns is a number.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %m = call noalias ptr @malloc(i64 8)                  ; CHECK: %m = {{.*}} -> shadow
  store double %x, ptr %m                               ; CHECK: store double %x, ptr %m{{.*}} -> takes part
  %n = call i32 @look(ptr %m)                           ; CHECK: %n = {{.*}} -> inactive
  %v = load double, ptr %m                              ; CHECK: %v = {{.*}} -> active
  %t = icmp eq i32 %n, 0                                ; CHECK: %t = {{.*}} -> inactive
  %r = select i1 %t, double %v, double 0.0              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare void @mystery(ptr)
declare i32 @look(ptr nocapture) nounwind willreturn memory(argmem: read)

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
