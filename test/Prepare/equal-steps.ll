; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Steps of a loop that the optimizer has moved out of branches are one: the loop
; has a count. So are those that it has left there.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @__enzyme_autodiff(ptr, ...)

; CHECK-LABEL: define internal void @adze.primal.steps(
; CHECK: %i = phi i64 [ 0, %entry ], [ %a, %latch ]
; CHECK-NOT: phi
; CHECK: %done = icmp eq i64 %a, %n
; CHECK: ; loop %loop depth 1: counter %i, last iteration %
define void @steps(ptr %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %a = add nuw i64 %i, 1
  %b = add i64 %i, 1
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %is = fcmp ogt double %v, 0.0
  br i1 %is, label %then, label %latch

then:
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  br label %latch

latch:
  %next = phi i64 [ %a, %then ], [ %b, %loop ]
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; CHECK-LABEL: define internal void @adze.primal.branches(
; CHECK: %i = phi i64 [ 0, %entry ], [ %[[NEXT:.*]], %latch ]
; CHECK-NOT: phi
; CHECK: latch:
; CHECK-NEXT: %[[NEXT]] = add
; CHECK: ; loop %loop depth 1: counter %i, last iteration %
define void @branches(ptr %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %is = fcmp ogt double %v, 0.0
  br i1 %is, label %then, label %else

then:
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %a = add nsw i64 %i, 1
  br label %latch

else:
  %b = add i64 %i, 1
  br label %latch

latch:
  %next = phi i64 [ %a, %then ], [ %b, %else ]
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define void @caller(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @steps, ptr %x, ptr %dx, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @branches, ptr %x, ptr %dx, i64 %n)
  ret void
}
