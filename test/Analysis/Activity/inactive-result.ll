; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The memory that an inactive function returns is inactive, although it is in truth that of an
; argument. The same function without the declaration returns memory with a shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK: %q = call ptr @at(ptr %p) #{{.*}}  -> inactive
; CHECK: %a = load double, ptr %q{{.*}}  -> inactive
; CHECK: %w = call ptr @at(ptr %p)  -> shadow
; CHECK: %b = load double, ptr %w{{.*}}  -> active

define ptr @at(ptr %p) noinline {
  %q = getelementptr double, ptr %p, i64 1
  ret ptr %q
}
define double @f(double %x, ptr %p) {
  %q = call ptr @at(ptr %p) "enzyme_inactive"
  %a = load double, ptr %q
  %w = call ptr @at(ptr %p)
  %b = load double, ptr %w
  %m = fmul double %a, %b
  %s = fmul double %m, %x
  ret double %s
}
define double @differentiate(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %dp)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
