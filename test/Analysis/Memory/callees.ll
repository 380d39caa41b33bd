; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Callees without attributes are looked into.
; RUN: %adze-opt --stop-after=memory %s | FileCheck %s

; CHECK-LABEL: memory of adze.primal.f
; CHECK-NEXT:   %a = load double, ptr %x, align 8
; CHECK-NEXT:     -> overwritten by  call void @fill(ptr %x, ptr %y)
; CHECK-NEXT:   %b = load double, ptr %y, align 8
; CHECK-NEXT:     -> survives
; CHECK-NEXT:   call void @fill(ptr %x, ptr %y)
; CHECK-NEXT:     -> overwritten by  call void @fill(ptr %x, ptr %y)
; CHECK-NEXT:   %c = load double, ptr %x, align 8
; CHECK-NEXT:     -> survives

define internal void @fill(ptr %to, ptr %from) noinline {
  %v = load double, ptr %from
  store double %v, ptr %to
  ret void
}
define double @f(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x
  %b = load double, ptr %y
  call void @fill(ptr %x, ptr %y)
  %c = load double, ptr %x
  %ab = fmul double %a, %b
  %r = fmul double %ab, %c
  ret double %r
}

define void @differentiate(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
