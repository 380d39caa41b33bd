; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The names of deallocators belong to variables of the program: what a derivative
; calls instead is missed by the linker.
; RUN: %adze-opt %s | FileCheck %s
@free = global i32 0
@_ZdlPvSt11align_val_t = global i32 0
declare ptr @_ZnwmSt11align_val_t(i64, i64)

; CHECK-DAG: call void @free.{{[0-9]+}}(
; CHECK-DAG: call void @_ZdlPvSt11align_val_t.{{[0-9]+}}(
define double @f(double %x, i64 %n) {
  %a = alloca double, i64 %n, align 32
  store double %x, ptr %a
  %y = load double, ptr %a
  %z = fmul double %y, %y
  ret double %z
}
define double @h(double %x, i64 %n) {
  %a = call ptr @_ZnwmSt11align_val_t(i64 %n, i64 32)
  store double %x, ptr %a
  %y = load double, ptr %a
  %z = fmul double %y, %y
  ret double %z
}
declare double @__enzyme_autodiff(ptr, ...)
define double @g(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  %e = call double (ptr, ...) @__enzyme_autodiff(ptr @h, double %x, i64 %n)
  %s = fadd double %d, %e
  ret double %s
}
