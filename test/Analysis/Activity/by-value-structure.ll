; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure by value in memory: the copy has a shadow where the callee's
; parameter does.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

%pair = type { double, double }
define internal double @product(ptr byval(%pair) align 8 %s) noinline {
  %p = getelementptr i8, ptr %s, i64 8
  %a = load double, ptr %s
  %b = load double, ptr %p
  %r = fmul double %a, %b
  ret double %r
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %s = call noalias ptr @malloc(i64 16)                 ; CHECK: %s = {{.*}} -> shadow
  %p = getelementptr i8, ptr %s, i64 8                  ; CHECK: %p = {{.*}} -> shadow
  store double %x, ptr %s                               ; CHECK: store double %x, ptr %s{{.*}} -> takes part
  store double %c, ptr %p                               ; CHECK: store double %c, ptr %p{{.*}} -> takes part
  %r = call double @product(ptr byval(%pair) align 8 %s) ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Both members are constant when it is passed.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %s = call noalias ptr @malloc(i64 16)                 ; CHECK: %s = {{.*}} -> inactive
  %p = getelementptr i8, ptr %s, i64 8                  ; CHECK: %p = {{.*}} -> inactive
  store double %c, ptr %s                               ; CHECK: store double %c, ptr %s{{.*}} -> inactive
  store double %c, ptr %p                               ; CHECK: store double %c, ptr %p{{.*}} -> inactive
  %k = call double @product(ptr byval(%pair) align 8 %s) ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1)
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
