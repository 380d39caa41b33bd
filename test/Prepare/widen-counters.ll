; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What LLVM leaves of a triangle with counters of 32 bits, once it has widened
; them: comparisons and products of truncations.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @__enzyme_autodiff(ptr, ...)

; The number of iterations of the inner loop is n - k, for k is less than n; the
; row of k in 32 bits is the one in 64 bits.
;
; CHECK-LABEL: define internal void @adze.primal.triangle(
; CHECK-NOT: trunc
; CHECK: mul nsw i64 %k, %
; CHECK-NOT: trunc
; CHECK: %i.more = icmp ne i64 %i.next, %
; CHECK-NOT: smax
; CHECK: loop %rows depth 1
define void @triangle(ptr noalias %x, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %enter, label %exit

enter:
  %wide = zext i32 %n to i64
  br label %rows

rows:
  %k = phi i64 [ 0, %enter ], [ %k.next, %latch ]
  %k.short = trunc i64 %k to i32
  %row.short = mul nuw nsw i32 %k.short, %n
  %row = zext i32 %row.short to i64
  %at = getelementptr double, ptr %x, i64 %row
  br label %columns

columns:
  %i = phi i64 [ %k, %rows ], [ %i.next, %columns ]
  %p = getelementptr double, ptr %at, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %i.short = trunc i64 %i.next to i32
  %i.more = icmp slt i32 %i.short, %n
  br i1 %i.more, label %columns, label %latch

latch:
  %k.next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %wide
  br i1 %done, label %exit, label %rows

exit:
  ret void
}

; The first number may be one that has more bits, of a product nobody says that
; it does not wrap, and of an inner loop that it is entered.
;
; CHECK-LABEL: define internal void @adze.primal.unknown(
; CHECK: %row.short = mul i32 %k.short, %n
; CHECK: %row = zext i32 %row.short to i64
; CHECK: %i.short = trunc i64 %i.next to i32
; CHECK: %i.more = icmp slt i32 %i.short, %n
define void @unknown(ptr noalias %x, i32 %n, i64 %first) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %enter, label %exit

enter:
  %wide = zext i32 %n to i64
  br label %rows

rows:
  %k = phi i64 [ 0, %enter ], [ %k.next, %latch ]
  %k.short = trunc i64 %k to i32
  %row.short = mul i32 %k.short, %n
  %row = zext i32 %row.short to i64
  %at = getelementptr double, ptr %x, i64 %row
  br label %columns

columns:
  %i = phi i64 [ %first, %rows ], [ %i.next, %columns ]
  %p = getelementptr double, ptr %at, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %i.short = trunc i64 %i.next to i32
  %i.more = icmp slt i32 %i.short, %n
  br i1 %i.more, label %columns, label %latch

latch:
  %k.next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %wide
  br i1 %done, label %exit, label %rows

exit:
  ret void
}

; Of any first number that is one of 32 bits: as many iterations as 64 bits
; count, one where it is not less than n.
;
; CHECK-LABEL: define internal void @adze.primal.anywhere(
; CHECK: smax.i64
; CHECK: %i.more = icmp slt i64 %i, %
define void @anywhere(ptr noalias %x, i32 %n, i32 %first) {
entry:
  %from = sext i32 %first to i64
  br label %columns

columns:
  %i = phi i64 [ %from, %entry ], [ %i.next, %columns ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %i.next = add nsw i64 %i, 1
  %i.short = trunc i64 %i to i32
  %i.more = icmp slt i32 %i.short, %n
  br i1 %i.more, label %columns, label %exit

exit:
  ret void
}

define void @caller(ptr %x, ptr %dx, i32 %n, i64 %first) {
  %short = trunc i64 %first to i32
  call void (ptr, ...) @__enzyme_autodiff(ptr @triangle, ptr %x, ptr %dx, i32 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @unknown, ptr %x, ptr %dx, i32 %n, i64 %first)
  call void (ptr, ...) @__enzyme_autodiff(ptr @anywhere, ptr %x, ptr %dx, i32 %n, i32 %short)
  ret void
}

; Where an inner loop is entered is said in front of branches that come together
; before it, and of the loop around. The last column is n + 1, of which only the
; instruction says that it does not wrap.
;
; CHECK-LABEL: define internal void @adze.primal.exchanged(
; CHECK-NOT: trunc
; CHECK: icmp ne i64 %j.next, %
; CHECK-NOT: trunc
; CHECK: icmp ne i64 %i.next, %
; CHECK-NOT: trunc
; CHECK: loop %rows depth 1
define void @exchanged(ptr noalias %x, ptr noalias %y, i32 %n, i1 %c) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %enter, label %exit

enter:
  %wide = sext i32 %n to i64
  %m = add nuw nsw i32 %n, 1
  %size = zext i32 %m to i64
  br label %rows

rows:
  %k = phi i64 [ 0, %enter ], [ %k.next, %latch ]
  %k.next = add nuw nsw i64 %k, 1
  %below = icmp slt i64 %k.next, %wide
  br i1 %below, label %test, label %latch

test:
  br i1 %c, label %store, label %join

store:
  store double 1.0, ptr %y
  br label %join

join:
  br label %lower

lower:
  %i = phi i64 [ %k.next, %join ], [ %i.next, %lower.latch ]
  %row = mul nuw nsw i64 %i, %size
  %at = getelementptr double, ptr %x, i64 %row
  br label %columns

columns:
  %j = phi i64 [ %k.next, %lower ], [ %j.next, %columns ]
  %p = getelementptr double, ptr %at, i64 %j
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.short = trunc i64 %j.next to i32
  %j.more = icmp ne i32 %j.short, %m
  br i1 %j.more, label %columns, label %lower.latch

lower.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.short = trunc i64 %i.next to i32
  %i.more = icmp ne i32 %i.short, %n
  br i1 %i.more, label %lower, label %latch

latch:
  %done = icmp eq i64 %k.next, %wide
  br i1 %done, label %exit, label %rows

exit:
  ret void
}

define void @of_exchanged(ptr %x, ptr %dx, i32 %n, i1 %c) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @exchanged, ptr %x, ptr %dx,
      ptr %x, ptr %dx, i32 %n, i1 %c)
  ret void
}
