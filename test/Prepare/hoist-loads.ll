; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Elements that stay the same while a loop runs are read in front of it.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @__enzyme_autodiff(ptr, ...)

; for (k < n) for (i = k + 1; i < n; i++) y[i] -= y[i] * y[k];
;
; CHECK-LABEL: define internal void @adze.primal.behind(
; CHECK: br i1 %some
; CHECK: %l = load double, ptr %at
; CHECK: row:
; CHECK: loop %row depth 2
define void @behind(ptr %y, i64 %n) {
entry:
  br label %rows

rows:
  %k = phi i64 [ 0, %entry ], [ %next, %latch ]
  %next = add nuw nsw i64 %k, 1
  %at = getelementptr double, ptr %y, i64 %k
  %some = icmp ult i64 %next, %n
  br i1 %some, label %row.enter, label %latch

row.enter:
  br label %row

row:
  %i = phi i64 [ %next, %row.enter ], [ %i.next, %row ]
  %p = getelementptr double, ptr %y, i64 %i
  %v = load double, ptr %p, align 8
  %l = load double, ptr %at, align 8
  %m = fmul double %v, %l
  %w = fsub double %v, %m
  store double %w, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %latch, label %row

latch:
  %last = icmp eq i64 %next, %n
  br i1 %last, label %exit, label %rows

exit:
  ret void
}

; From i = 0 on: the element itself is overwritten on the way.
;
; CHECK-LABEL: define internal void @adze.primal.over(
; CHECK: row:
; CHECK: %l = load double, ptr %at
; CHECK: loop %row depth 2
define void @over(ptr %y, i64 %n) {
entry:
  br label %rows

rows:
  %k = phi i64 [ 0, %entry ], [ %next, %latch ]
  %next = add nuw nsw i64 %k, 1
  %at = getelementptr double, ptr %y, i64 %k
  br label %row

row:
  %i = phi i64 [ 0, %rows ], [ %i.next, %row ]
  %p = getelementptr double, ptr %y, i64 %i
  %v = load double, ptr %p, align 8
  %l = load double, ptr %at, align 8
  %m = fmul double %v, %l
  %w = fsub double %v, %m
  store double %w, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %latch, label %row

latch:
  %last = icmp eq i64 %next, %n
  br i1 %last, label %exit, label %rows

exit:
  ret void
}

; The first iteration writes before it reads: from i = k on.
;
; CHECK-LABEL: define internal void @adze.primal.first(
; CHECK: row:
; CHECK: store double
; CHECK: %l = load double, ptr %at
; CHECK: loop %row depth 2
define void @first(ptr %y, ptr noalias %z, i64 %n) {
entry:
  br label %rows

rows:
  %k = phi i64 [ 0, %entry ], [ %next, %latch ]
  %next = add nuw nsw i64 %k, 1
  %at = getelementptr double, ptr %y, i64 %k
  br label %row

row:
  %i = phi i64 [ %k, %rows ], [ %i.next, %row ]
  %p = getelementptr double, ptr %y, i64 %i
  %q = getelementptr double, ptr %z, i64 %i
  %v = load double, ptr %q, align 8
  store double %v, ptr %p, align 8
  %l = load double, ptr %at, align 8
  %m = fmul double %v, %l
  store double %m, ptr %q, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %latch, label %row

latch:
  %last = icmp eq i64 %next, %n
  br i1 %last, label %exit, label %rows

exit:
  ret void
}

; Read on a condition only: there may be no such element.
;
; CHECK-LABEL: define internal void @adze.primal.perhaps(
; CHECK: some:
; CHECK: %l = load double, ptr %at
define void @perhaps(ptr noalias %y, ptr noalias %at, i64 %n) {
entry:
  br label %row

row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %p = getelementptr double, ptr %y, i64 %i
  %v = load double, ptr %p, align 8
  %is = fcmp ogt double %v, 0.0
  br i1 %is, label %some, label %latch

some:
  %l = load double, ptr %at, align 8
  %m = fmul double %v, %l
  store double %m, ptr %p, align 8
  br label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %row

exit:
  ret void
}

define void @caller(ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @behind, ptr %x, ptr %dx, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @over, ptr %x, ptr %dx, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @first, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @perhaps, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n)
  ret void
}
