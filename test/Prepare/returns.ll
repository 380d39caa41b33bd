; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; Several returns become one; its phi's edge is named by an index.

define double @f(double %x, i64 %n) {
entry:
  %c = fcmp ogt double %x, 1.0
  br i1 %c, label %one, label %rest
one:
  %a = call double @sin(double %x)
  ret double %a
rest:
  %d = icmp sgt i64 %n, 4
  br i1 %d, label %two, label %three
two:
  %b = call double @cos(double %x)
  ret double %b
three:
  %e = call double @exp(double %x)
  ret double %e
}
declare double @sin(double)
declare double @cos(double)
declare double @exp(double)

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %adze.from = phi i8 [ 0, %three ], [ 1, %two ], [ 2, %one ]
; CHECK: ret double %common.ret.op
; CHECK: ; merge %common.ret: %adze.from in %three %two %one
