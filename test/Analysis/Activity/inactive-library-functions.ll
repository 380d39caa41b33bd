; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that print, count or draw random numbers take no part, whatever they
; are given.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@format = internal constant [4 x i8] c"%g\0A\00"
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, ptr %s) {
; CHECK: double %x -> active
; CHECK: ptr %s -> inactive
  %v = fmul double %x, %x                               ; CHECK: %v = {{.*}} -> active
  %n = call i32 (ptr, ...) @printf(ptr @format, double %v) ; CHECK: %n = {{.*}} -> inactive
  %i = call i32 @rand()                                 ; CHECK: %i = {{.*}} -> inactive
  %l = call i64 @strlen(ptr %s)                         ; CHECK: %l = {{.*}} -> inactive
  %k = sitofp i32 %i to double                          ; CHECK: %k = {{.*}} -> inactive
  %m = uitofp i64 %l to double                          ; CHECK: %m = {{.*}} -> inactive
  %km = fmul double %k, %m                              ; CHECK: %km = {{.*}} -> inactive
  %r = fmul double %v, %km                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; A function of the same form of which nothing is known takes part.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %v = fmul double %x, %x                               ; CHECK: %v = {{.*}} -> active
  %n = call i32 (ptr, ...) @record(ptr @format, double %v) ; CHECK: %n = {{.*}} -> takes part
  ret double %v                                         ; CHECK: ret double {{.*}} -> takes part
}
declare i32 @printf(ptr, ...)
declare i32 @record(ptr, ...)
declare i32 @rand()
declare i64 @strlen(ptr)

define double @differentiate(double %a0, ptr %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, ptr %a1)
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
