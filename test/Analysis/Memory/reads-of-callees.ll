; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a callee reads counts as read by the call.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

define internal double @dot(ptr %a, ptr %b) noinline {
  %v = load double, ptr %a
  %w = load double, ptr %b
  %r = fmul double %v, %w
  ret double %r
}
; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double 0.000000e+00, ptr %x{{.*}}
  %r = call double @dot(ptr %x, ptr %y)
  store double 0.0, ptr %x
  %s = fmul double %r, %a
  ret double %s
}
; CHECK: %r = call double @dot(ptr %x, ptr %y)
; CHECK-NEXT: -> overwritten by store double 0.000000e+00, ptr %x{{.*}}
; Written before, and elsewhere.
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr noalias %x, ptr noalias %y, ptr noalias %z) {
  store double 3.0, ptr %y
  %r = call double @dot(ptr %x, ptr %y)           ; CHECK: %r = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  store double 0.0, ptr %z
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
