; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arguments that may be one array, and arguments that may not.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %m = fmul double %a, %a
  store double %m, ptr %y
  ret double %m
}
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr %x, ptr %y) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double %m, ptr %y{{.*}}
  %m = fmul double %a, %a
  store double %m, ptr %y
  ret double %m
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
