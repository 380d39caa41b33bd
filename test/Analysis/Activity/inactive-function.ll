; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function declared inactive has no derivative, with a body or without one; the same
; function called without the declaration has one.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK: %a = call double @held(double %x)  -> inactive
; CHECK: %b = call double @outside(double %x, ptr %p)  -> inactive
; CHECK: %c = call double @plain(double %x) #{{.*}}  -> inactive
; CHECK: %d = call double @plain(double %x)  -> active
; CHECK: %m1 = fmul double %a, %b  -> inactive
; CHECK: %m2 = fmul double %c, %d  -> active

define double @held(double %x) noinline "enzyme_inactive" {
  ret double %x
}
declare double @outside(double, ptr) "enzyme_inactive"
define double @plain(double %x) noinline {
  %r = fmul double %x, %x
  ret double %r
}
define double @f(double %x, ptr %p) {
  %a = call double @held(double %x)
  %b = call double @outside(double %x, ptr %p)
  %c = call double @plain(double %x) "enzyme_inactive"
  %d = call double @plain(double %x)
  %m1 = fmul double %a, %b
  %m2 = fmul double %c, %d
  %s = fadd double %m1, %m2
  ret double %s
}
define double @differentiate(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %dp)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
