; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer to an active global that nobody changes leads to it all the same.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@state = internal global double 0.0
@table = internal constant double 2.0
@to_state = internal global ptr @state
@to_table = internal global ptr @table
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x) {
; CHECK: double %x -> active
  store double %x, ptr @state                           ; CHECK: store double %x, ptr @state{{.*}} -> takes part
  %p = load ptr, ptr @to_state                          ; CHECK: %p = {{.*}} -> shadow or self
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  ret double %v                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-DAG: @state -> shadow
; CHECK-DAG: @to_state -> shadow
}
; A pointer to a constant.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  %p = load ptr, ptr @to_table                          ; CHECK: %p = {{.*}} -> inactive
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> inactive
  %r = fmul double %v, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
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
