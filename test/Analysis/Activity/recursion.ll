; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A recursive function in the context of its first call.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal double @power(double %v, i64 %n) noinline {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %one, label %more
one:
  ret double 1.0
more:
  %m = sub i64 %n, 1
  %p = call double @power(double %v, i64 %m)
  %r = fmul double %p, %v
  ret double %r
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
  %r = call double @power(double %x, i64 %n)            ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The active argument does not go into the recursion.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c, i64 %n) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
; CHECK: i64 %n -> inactive
  %p = call double @power(double %c, i64 %n)            ; CHECK: %p = {{.*}} -> inactive
  %r = fmul double %p, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define double @differentiate(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1)
  ret double %r
}

define double @differentiate_g(double %a0, double %a1, i64 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, double %a1, i64 %a2)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
