; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Only this file's globals can have a shadow. What stands elsewhere is constant
; as long as nothing active is stored there and read again.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@far = external global double
@near = internal global double 0.0
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  store double %x, ptr @near                            ; CHECK: store double %x, ptr @near{{.*}} -> takes part
  %k = load double, ptr @far                            ; CHECK: %k = {{.*}} -> inactive
  %v = load double, ptr @near                           ; CHECK: %v = {{.*}} -> active
  %r = fmul double %k, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK: @near -> shadow
}
; Stored, and not read again.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %v = fmul double %x, %x                               ; CHECK: %v = {{.*}} -> active
  store double %v, ptr @far                             ; CHECK: store double %v, ptr @far{{.*}} -> inactive
  ret double %v                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NOT: shadow
}

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
