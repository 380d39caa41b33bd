; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An inactive parameter is passed as if it were constant: values, memory, and what is only
; known by the declaration.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK: %a = call double @scaled(double %x, double %x)  -> active
; CHECK: %b = call double @scaled(double 2.{{.*}}, double %x)  -> inactive
; CHECK: %c = call double @first(ptr %p)  -> inactive
; CHECK: %d = call double @outside(double %x)  -> inactive

define double @scaled(double %x, double "enzyme_inactive" %w) noinline {
  %r = fmul double %x, %w
  ret double %r
}
define double @first(ptr "enzyme_inactive" %p) noinline {
  %r = load double, ptr %p
  ret double %r
}
declare double @outside(double "enzyme_inactive")
define double @f(double %x, ptr %p) {
  %a = call double @scaled(double %x, double %x)
  %b = call double @scaled(double 2.0, double %x)
  %c = call double @first(ptr %p)
  %d = call double @outside(double %x)
  %s = fmul double %a, %b
  %t = fmul double %c, %d
  %r = fmul double %s, %t
  ret double %r
}
define double @differentiate(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %dp)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
