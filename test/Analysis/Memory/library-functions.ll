; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Library functions write what their row says.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

@format = internal constant [4 x i8] c"%g\0A\00"
; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr %x) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %n = call i32 (ptr, ...) @printf(ptr @format, double %a)
  %s = call double @sin(double %a)
  %r = fmul double %s, %a
  ret double %r
}
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr %x) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by %s = call double @modf(double %a, ptr %x){{.*}}
  %s = call double @modf(double %a, ptr %x)
  %r = fmul double %s, %a
  ret double %r
}
declare i32 @printf(ptr, ...)
declare double @sin(double)
declare double @modf(double, ptr)

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
