; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is written before a read does not matter.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr %x) {
  store double 1.0, ptr %x
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %r = fmul double %a, %a
  ret double %r
}
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr %x) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double 1.000000e+00, ptr %x{{.*}}
  store double 1.0, ptr %x
  %r = fmul double %a, %a
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
