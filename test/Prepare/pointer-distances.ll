; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Ends of buffers that a loop exchanges are computed from their begins, and
; sizes from neither, if all that hands them on does so together.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @__enzyme_autodiff(ptr, ...)

; Both have n elements.
; CHECK-LABEL: define internal void @adze.primal.same(
; CHECK: steps:
; CHECK-NOT: %e = phi
; CHECK-NOT: %f = phi
; CHECK-NOT: ptrtoint
; CHECK: icmp sgt i64 %size, 0
define void @same(ptr %p, ptr %q, i64 %n, i64 %m) {
entry:
  %size = shl nsw i64 %n, 3
  %other = shl nsw i64 %m, 3
  %pe = getelementptr inbounds i8, ptr %p, i64 %size
  %qe = getelementptr inbounds i8, ptr %q, i64 %size
  br label %steps

steps:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  %b = phi ptr [ %p, %entry ], [ %c, %latch ]
  %e = phi ptr [ %pe, %entry ], [ %f, %latch ]
  %c = phi ptr [ %q, %entry ], [ %b, %latch ]
  %f = phi ptr [ %qe, %entry ], [ %e, %latch ]
  %to = ptrtoint ptr %e to i64
  %from = ptrtoint ptr %b to i64
  %bytes = sub i64 %to, %from
  %some = icmp sgt i64 %bytes, 0
  br i1 %some, label %loop, label %latch

loop:
  %i = phi i64 [ 0, %steps ], [ %i.next, %loop ]
  %read = getelementptr inbounds i8, ptr %b, i64 %i
  %write = getelementptr inbounds i8, ptr %c, i64 %i
  %v = load double, ptr %read, align 8
  %s = fmul double %v, %v
  store double %s, ptr %write, align 8
  %i.next = add nuw nsw i64 %i, 8
  %more = icmp slt i64 %i.next, %bytes
  br i1 %more, label %loop, label %latch

latch:
  %t.next = add nuw nsw i64 %t, 1
  %done = icmp eq i64 %t.next, 9
  br i1 %done, label %exit, label %steps

exit:
  ret void
}

; One has m: what is n in the first step is m in the second one.
; CHECK-LABEL: define internal void @adze.primal.sizes(
; CHECK: %e = phi
; CHECK: %bytes = sub i64 %to, %from
; CHECK: icmp sgt i64 %bytes, 0
define void @sizes(ptr %p, ptr %q, i64 %n, i64 %m) {
entry:
  %size = shl nsw i64 %n, 3
  %other = shl nsw i64 %m, 3
  %pe = getelementptr inbounds i8, ptr %p, i64 %size
  %qe = getelementptr inbounds i8, ptr %q, i64 %other
  br label %steps

steps:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  %b = phi ptr [ %p, %entry ], [ %c, %latch ]
  %e = phi ptr [ %pe, %entry ], [ %f, %latch ]
  %c = phi ptr [ %q, %entry ], [ %b, %latch ]
  %f = phi ptr [ %qe, %entry ], [ %e, %latch ]
  %to = ptrtoint ptr %e to i64
  %from = ptrtoint ptr %b to i64
  %bytes = sub i64 %to, %from
  %some = icmp sgt i64 %bytes, 0
  br i1 %some, label %loop, label %latch

loop:
  %i = phi i64 [ 0, %steps ], [ %i.next, %loop ]
  %read = getelementptr inbounds i8, ptr %b, i64 %i
  %write = getelementptr inbounds i8, ptr %c, i64 %i
  %v = load double, ptr %read, align 8
  %s = fmul double %v, %v
  store double %s, ptr %write, align 8
  %i.next = add nuw nsw i64 %i, 8
  %more = icmp slt i64 %i.next, %bytes
  br i1 %more, label %loop, label %latch

latch:
  %t.next = add nuw nsw i64 %t, 1
  %done = icmp eq i64 %t.next, 9
  br i1 %done, label %exit, label %steps

exit:
  ret void
}

; The end moves on.
; CHECK-LABEL: define internal void @adze.primal.moved(
; CHECK: %e = phi
; CHECK: %bytes = sub i64 %to, %from
; CHECK: icmp sgt i64 %bytes, 0
define void @moved(ptr %p, ptr %q, i64 %n, i64 %m) {
entry:
  %size = shl nsw i64 %n, 3
  %other = shl nsw i64 %m, 3
  %pe = getelementptr inbounds i8, ptr %p, i64 %size
  %qe = getelementptr inbounds i8, ptr %q, i64 %size
  br label %steps

steps:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  %b = phi ptr [ %p, %entry ], [ %c, %latch ]
  %e = phi ptr [ %pe, %entry ], [ %g, %latch ]
  %c = phi ptr [ %q, %entry ], [ %b, %latch ]
  %f = phi ptr [ %qe, %entry ], [ %e, %latch ]
  %g = getelementptr inbounds i8, ptr %f, i64 8
  %to = ptrtoint ptr %e to i64
  %from = ptrtoint ptr %b to i64
  %bytes = sub i64 %to, %from
  %some = icmp sgt i64 %bytes, 0
  br i1 %some, label %loop, label %latch

loop:
  %i = phi i64 [ 0, %steps ], [ %i.next, %loop ]
  %read = getelementptr inbounds i8, ptr %b, i64 %i
  %write = getelementptr inbounds i8, ptr %c, i64 %i
  %v = load double, ptr %read, align 8
  %s = fmul double %v, %v
  store double %s, ptr %write, align 8
  %i.next = add nuw nsw i64 %i, 8
  %more = icmp slt i64 %i.next, %bytes
  br i1 %more, label %loop, label %latch

latch:
  %t.next = add nuw nsw i64 %t, 1
  %done = icmp eq i64 %t.next, 9
  br i1 %done, label %exit, label %steps

exit:
  ret void
}

; The end of a block of one element is found without its size.
; CHECK-LABEL: define internal void @adze.primal.single(
; CHECK: join:
; CHECK-NOT: phi
; CHECK: icmp {{.*}}i64 %size, 0
define void @single(ptr %p, i64 %n) {
entry:
  %size = shl nsw i64 %n, 3
  %is = icmp eq i64 %size, 8
  br i1 %is, label %one, label %many

one:
  %next = getelementptr inbounds i8, ptr %p, i64 8
  store double 1.0, ptr %p, align 8
  br label %join

many:
  %end = getelementptr inbounds i8, ptr %p, i64 %size
  br label %join

join:
  %e = phi ptr [ %next, %one ], [ %end, %many ]
  %some = icmp ne ptr %e, %p
  br i1 %some, label %square, label %exit

square:
  %v = load double, ptr %p, align 8
  %s = fmul double %v, %v
  store double %s, ptr %p, align 8
  br label %exit

exit:
  ret void
}

; Of two elements it is not.
; CHECK-LABEL: define internal void @adze.primal.wrong(
; CHECK: join:
; CHECK: %e = phi ptr
; CHECK: icmp ne ptr %e, %p
define void @wrong(ptr %p, i64 %n) {
entry:
  %size = shl nsw i64 %n, 3
  %is = icmp eq i64 %size, 16
  br i1 %is, label %one, label %many

one:
  %next = getelementptr inbounds i8, ptr %p, i64 8
  store double 1.0, ptr %p, align 8
  br label %join

many:
  %end = getelementptr inbounds i8, ptr %p, i64 %size
  br label %join

join:
  %e = phi ptr [ %next, %one ], [ %end, %many ]
  %some = icmp ne ptr %e, %p
  br i1 %some, label %square, label %exit

square:
  %v = load double, ptr %p, align 8
  %s = fmul double %v, %v
  store double %s, ptr %p, align 8
  br label %exit

exit:
  ret void
}

define void @gradients(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @same, ptr %x, ptr %dx, ptr %x, ptr %dx, i64 %n, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @sizes, ptr %x, ptr %dx, ptr %x, ptr %dx, i64 %n, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @moved, ptr %x, ptr %dx, ptr %x, ptr %dx, i64 %n, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @single, ptr %x, ptr %dx, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @wrong, ptr %x, ptr %dx, i64 %n)
  ret void
}
