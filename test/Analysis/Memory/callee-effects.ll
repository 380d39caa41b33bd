; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a callee writes is known by argument.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

define internal void @scale(ptr %to, ptr %from) noinline {
  %v = load double, ptr %from
  %w = fmul double %v, 2.0
  store double %w, ptr %to
  ret void
}
; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  call void @scale(ptr %y, ptr %x)
  %r = fmul double %a, %a
  ret double %r
}
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by call void @scale(ptr %x, ptr %y){{.*}}
  call void @scale(ptr %x, ptr %y)
  %r = fmul double %a, %a
  ret double %r
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
