; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; Two exits: the count is not known on entry, but a bound is.

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %s.next, %latch ]
  %s.next = fmul double %s, %x
  %big = fcmp ogt double %s.next, 1.0e3
  br i1 %big, label %exit, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %s, %loop ], [ %s.next, %latch ]
  ret double %r
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %smax = call i64 @llvm.smax.i64(i64 %n, i64 0)
; CHECK: %adze.left = phi i64 [ %i, %latch ], [ %i, %loop ]
; CHECK: %adze.from = phi i1 [ false, %latch ], [ true, %loop ]
; CHECK: ; loop %loop depth 1: counter %i, last iteration none, bound %smax, exit none or several
; CHECK-NEXT: ; merge %exit: %adze.from in %latch %loop
; CHECK-NEXT: ; exit %exit: leaves %loop in iteration %adze.left
