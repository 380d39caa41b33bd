; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two functions that call each other: active data goes round before it returns.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal double @odd(double %v, double %w, i64 %n) noinline {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %more
last:
  ret double %w
more:
  %m = sub i64 %n, 1
  %r = call double @even(double %v, double %w, i64 %m)
  ret double %r
}
define internal double @even(double %v, double %w, i64 %n) noinline {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %more
last:
  ret double %w
more:
  %m = sub i64 %n, 1
  %r = call double @odd(double 1.0, double %v, i64 %m)
  ret double %r
}
; What comes in as %v leaves as %w, two calls later.
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
  %r = call double @odd(double %x, double 2.0, i64 %n)  ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Both are constant.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c, i64 %n) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
; CHECK: i64 %n -> inactive
  %k = call double @odd(double %c, double 2.0, i64 %n)  ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
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
