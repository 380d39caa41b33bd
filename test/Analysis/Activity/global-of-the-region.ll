; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is stored by functions that the derivative runs is active, what is stored
; by functions around it is constant.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@inside = internal global double 0.0
@outside = internal global double 0.0
define internal void @keep(double %v) noinline {
  store double %v, ptr @inside
  ret void
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  %old = load double, ptr @inside                       ; CHECK: %old = {{.*}} -> active
  call void @keep(double %x)                            ; CHECK: call void @keep(double %x){{.*}} -> takes part
  %k = load double, ptr @outside                        ; CHECK: %k = {{.*}} -> inactive
  %ok = fmul double %old, %k                            ; CHECK: %ok = {{.*}} -> active
  %r = fmul double %ok, %x                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NEXT: @inside -> shadow
; CHECK-NOT: @outside
}
define void @setup(double %v) {
  store double %v, ptr @outside
  ret void
}

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
