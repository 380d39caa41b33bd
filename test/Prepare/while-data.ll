; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; The number of iterations depends on the data: no count, no bound.

define double @f(double %x) {
entry:
  br label %loop
loop:
  %v = phi double [ %x, %entry ], [ %half, %body ]
  %big = fcmp ogt double %v, 1.0
  br i1 %big, label %body, label %exit
body:
  %half = fmul double %v, 5.0e-1
  br label %loop
exit:
  ret double %v
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: define internal double @adze.primal.f(double %x) {
; CHECK: %adze.counter = phi i64 [ 0, %entry ], [ %adze.next, %body ]
; CHECK: %adze.next = add nuw nsw i64 %adze.counter, 1
; CHECK: %adze.left = phi i64 [ %adze.counter, %loop ]
; CHECK: ; loop %loop depth 1: counter %adze.counter, last iteration none, bound none, exit %loop -> %exit
; CHECK-NEXT: ; exit %exit: leaves %loop in iteration %adze.left
