; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; A loop of one block is its own header, latch and exiting block.

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %i.next, %loop ]
  %v = phi double [ %x, %entry ], [ %v.next, %loop ]
  %v.next = fmul double %v, %x
  %i.next = add nsw i64 %i, -1
  %more = icmp sgt i64 %i, 1
  br i1 %more, label %loop, label %exit
exit:
  ret double %v.next
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %smin = call i64 @llvm.smin.i64(i64 %n, i64 1)
; CHECK: %0 = sub i64 %n, %smin
; CHECK: %adze.counter = phi i64 [ 0, %entry ], [ %adze.next, %loop ]
; CHECK: %1 = mul i64 %adze.counter, -1
; CHECK: %adze.next = add nuw nsw i64 %adze.counter, 1
; CHECK: ; loop %loop depth 1: counter %adze.counter, last iteration %0, bound %0, exit %loop -> %exit
; CHECK-NEXT: ; exit %exit: leaves %loop in iteration %0
