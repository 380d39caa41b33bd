; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Members of a global structure are told apart by constant offsets.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@s = internal global { double, double, i64 } zeroinitializer
@v = internal global { double, double, i64 } zeroinitializer
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  store double %x, ptr @s                               ; CHECK: store double %x, ptr @s{{.*}} -> takes part
  %n = load i64, ptr getelementptr (i8, ptr @s, i64 16) ; CHECK: %n = {{.*}} -> inactive
  %k = uitofp i64 %n to double                          ; CHECK: %k = {{.*}} -> inactive
  %a = load double, ptr @s                              ; CHECK: %a = {{.*}} -> active
  %r = fmul double %a, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NEXT: @s -> shadow
}
; Nothing is stored to this one.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, i64 %i) {
; CHECK: double %x -> active
; CHECK: i64 %i -> inactive
  %n = load i64, ptr getelementptr (i8, ptr @v, i64 16) ; CHECK: %n = {{.*}} -> inactive
  %a = load double, ptr @v                              ; CHECK: %a = {{.*}} -> inactive
  %k = uitofp i64 %n to double                          ; CHECK: %k = {{.*}} -> inactive
  %ak = fmul double %a, %k                              ; CHECK: %ak = {{.*}} -> inactive
  %r = fmul double %ak, %x                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NOT: shadow
}

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
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
