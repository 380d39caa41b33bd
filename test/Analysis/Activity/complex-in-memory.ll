; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A complex number in memory: two members that are told apart, until a function
; takes it as a whole.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %z = call noalias ptr @malloc(i64 16)                 ; CHECK: %z = {{.*}} -> shadow
  %zi = getelementptr i8, ptr %z, i64 8                 ; CHECK: %zi = {{.*}} -> shadow
  store double %x, ptr %z                               ; CHECK: store double %x, ptr %z{{.*}} -> takes part
  store double %c, ptr %zi                              ; CHECK: store double %c, ptr %zi{{.*}} -> takes part
  %re = load double, ptr %z                             ; CHECK: %re = {{.*}} -> active
  %im = load double, ptr %zi                            ; CHECK: %im = {{.*}} -> inactive
  %w = call { double, double } @csqrt(double %re, double %im) ; CHECK: %w = {{.*}} -> active
  %wi = extractvalue { double, double } %w, 1           ; CHECK: %wi = {{.*}} -> active
  ret double %wi                                        ; CHECK: ret double {{.*}} -> takes part
}
; The real part is constant as well.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %z = call noalias ptr @malloc(i64 16)                 ; CHECK: %z = {{.*}} -> inactive
  %zi = getelementptr i8, ptr %z, i64 8                 ; CHECK: %zi = {{.*}} -> inactive
  store double %c, ptr %z                               ; CHECK: store double %c, ptr %z{{.*}} -> inactive
  store double %c, ptr %zi                              ; CHECK: store double %c, ptr %zi{{.*}} -> inactive
  %re = load double, ptr %z                             ; CHECK: %re = {{.*}} -> inactive
  %im = load double, ptr %zi                            ; CHECK: %im = {{.*}} -> inactive
  %w = call { double, double } @csqrt(double %re, double %im) ; CHECK: %w = {{.*}} -> inactive
  %wi = extractvalue { double, double } %w, 1           ; CHECK: %wi = {{.*}} -> inactive
  %r = fmul double %wi, %x                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare { double, double } @csqrt(double, double)

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
