; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee that fills local memory: useful only because it is read later.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK-NEXT:   double %x  -> active
; CHECK-NEXT:   double %y  -> inactive
; CHECK-NEXT:   %0:
; CHECK-NEXT:   %t = alloca double, align 8  -> shadow
; CHECK-NEXT:   %u = alloca double, align 8  -> inactive
; CHECK-NEXT:   call void @square(double %x, ptr %t)  -> takes part
; CHECK-NEXT:   call void @square(double %y, ptr %u)  -> inactive
; CHECK-NEXT:   %v = load double, ptr %t, align 8  -> active
; CHECK-NEXT:   ret double %v  -> takes part

define internal void @square(double %x, ptr %out) noinline {
  %s = fmul double %x, %x
  store double %s, ptr %out
  ret void
}
define double @f(double %x, double %y) {
  %t = alloca double
  %u = alloca double
  call void @square(double %x, ptr %t)
  call void @square(double %y, ptr %u)
  %v = load double, ptr %t
  ret double %v
}

define double @differentiate(double %x, double %y) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_const, double %y)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
