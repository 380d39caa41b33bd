; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; indirectbr compares its address with the labels of the user's own function.

@labels = constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
define double @f(double %x, i64 %n) {
entry:
  %i = and i64 %n, 1
  %at = getelementptr [2 x ptr], ptr @labels, i64 0, i64 %i
  %to = load ptr, ptr %at, align 8
  indirectbr ptr %to, [label %one, label %two]
one:
  %a = call double @sin(double %x)
  ret double %a
two:
  %b = call double @cos(double %x)
  ret double %b
}
declare double @sin(double)
declare double @cos(double)

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: define internal double @adze.primal.f(double %x, i64 %n) {
; CHECK: %to = load ptr, ptr %at, align 8
; CHECK: %0 = icmp eq ptr %to, blockaddress(@f, %one)
; CHECK: br i1 %0, label %one, label %two
; CHECK: ; merge %common.ret: %0 in %two %one
