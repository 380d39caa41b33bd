; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Active data may be stored behind a constant argument if it is not read again.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, ptr %log) {
; CHECK: double %x -> active
; CHECK: ptr %log -> inactive
  %v = fmul double %x, %x                               ; CHECK: %v = {{.*}} -> active
  store double %v, ptr %log                             ; CHECK: store double %v, ptr %log{{.*}} -> inactive
  ret double %v                                         ; CHECK: ret double {{.*}} -> takes part
}
; Read again, and from then on only compared.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, ptr %log) {
; CHECK: double %x -> active
; CHECK: ptr %log -> inactive
  store double %x, ptr %log                             ; CHECK: store double %x, ptr %log{{.*}} -> inactive
  %l = load double, ptr %log                            ; CHECK: %l = {{.*}} -> inactive
  %t = fcmp ogt double %l, 0.0                          ; CHECK: %t = {{.*}} -> inactive
  %r = select i1 %t, double %x, double 0.0              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define double @differentiate(double %a0, ptr %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, ptr %a1)
  ret double %r
}

define double @differentiate_g(double %a0, ptr %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, ptr %a1)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
