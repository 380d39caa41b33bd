; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A mutable global may be changed before the reverse pass runs, by nobody if it
; is constant, and by this function if it stores there.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

@table = internal constant [2 x double] [double 1.0, double 2.0]
@state = internal global double 0.0
; CHECK-LABEL: memory of adze.primal.f
define double @f(double %x, i64 %i) {
  %p = getelementptr double, ptr @table, i64 %i
  %k = load double, ptr %p                        ; CHECK: %k = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %r = fmul double %x, %k
  store double %r, ptr @state
  ret double %r
}
; CHECK-LABEL: memory of adze.primal.g
define double @g(double %x) {
  %k = load double, ptr @state                    ; CHECK: %k = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double %r, ptr @state{{.*}}
  %r = fmul double %x, %k
  store double %r, ptr @state
  ret double %r
}

define double @differentiate(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1)
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
