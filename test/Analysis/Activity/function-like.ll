; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function declared to be like one of the library is not looked into.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK: %a = call double @sine(double %x)  -> active
; CHECK: %b = call double @step(double %x)  -> inactive
; CHECK: call void @message(ptr %p)  -> inactive

define double @sine(double %x) noinline "adze.function_like"="sin" {
  ret double 1.0
}
define double @step(double %x) noinline "adze.function_like"="floor" {
  ret double %x
}
define void @message(ptr %p) noinline "adze.function_like"="puts" {
  store double 1.0, ptr %p
  ret void
}
define double @f(double %x, ptr %p) {
  %a = call double @sine(double %x)
  %b = call double @step(double %x)
  call void @message(ptr %p)
  %m = fmul double %a, %b
  ret double %m
}
define double @differentiate(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %dp)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
