; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; Loops that move or exchange bytes or words become block copies: behind a test
; where the ranges may overlap, and without the loop where they cannot.

declare void @__enzyme_autodiff(ptr, ...)

; *d++ = *s++
; CHECK-LABEL: define internal void @adze.primal.upward(
; CHECK: %[[SEND:.*]] = getelementptr i8, ptr %s, i64 %n
; CHECK: %[[ABOVE:.*]] = icmp uge ptr %d, %[[SEND]]
; CHECK: %[[BELOW:.*]] = icmp ule ptr %d, %s
; CHECK: %[[MAY:.*]] = or i1 %[[ABOVE]], %[[BELOW]]
; CHECK: br i1 %[[MAY]], label %[[BLOCK:.*]], label
; CHECK: [[BLOCK]]:
; CHECK-NEXT: call void @llvm.memmove.p0.p0.i64(ptr align 1 %d, ptr align 1 %s, i64 %n, i1 false)
; CHECK: call void @llvm.memmove{{.*}}, i64 1, i1 false)
define void @upward(ptr %d, ptr %s, i64 %n) {
entry:
  br label %head
head:
  %k = phi i64 [ %n, %entry ], [ %k.next, %body ]
  %to = phi ptr [ %d, %entry ], [ %to.next, %body ]
  %from = phi ptr [ %s, %entry ], [ %from.next, %body ]
  %k.next = add i64 %k, -1
  %more = icmp ne i64 %k, 0
  br i1 %more, label %body, label %exit
body:
  %from.next = getelementptr inbounds i8, ptr %from, i64 1
  %byte = load i8, ptr %from, align 1
  %to.next = getelementptr inbounds i8, ptr %to, i64 1
  store i8 %byte, ptr %to, align 1
  br label %head
exit:
  ret void
}

; Downward, the other way round.
; CHECK-LABEL: define internal void @adze.primal.downward(
; CHECK: icmp uge ptr %d, %s
; CHECK: %[[DEND:.*]] = getelementptr i8, ptr %d, i64 %n
; CHECK: icmp ule ptr %[[DEND]], %s
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr align 1 %d, ptr align 1 %s, i64 %n, i1 false)
define void @downward(ptr %d, ptr %s, i64 %n) {
entry:
  br label %head
head:
  %k = phi i64 [ %n, %entry ], [ %k.next, %body ]
  %k.next = add i64 %k, -1
  %more = icmp ne i64 %k, 0
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr inbounds i8, ptr %s, i64 %k.next
  %byte = load i8, ptr %from, align 1
  %to = getelementptr inbounds i8, ptr %d, i64 %k.next
  store i8 %byte, ptr %to, align 1
  br label %head
exit:
  ret void
}

; Words, between objects that do not overlap: no loop is left.
; CHECK-LABEL: define internal void @adze.primal.words(
; CHECK-NOT: load i64
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 %{{.*}}, i1 false)
; CHECK-NOT: load i64
; CHECK: ret void
define void @words(ptr noalias %d, ptr noalias %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds i64, ptr %s, i64 %i
  %word = load i64, ptr %from, align 8
  %to = getelementptr inbounds i64, ptr %d, i64 %i
  store i64 %word, ptr %to, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An exchange goes through a buffer, if it has room.
; CHECK-LABEL: define internal void @adze.primal.exchange(
; CHECK: %[[ROOM:.*]] = alloca [1024 x i8], align 16
; CHECK: icmp ule i64 %n, 1024
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[ROOM]], ptr align 1 %a, i64 %n, i1 false)
; CHECK-NEXT: call void @llvm.memmove.p0.p0.i64(ptr align 1 %a, ptr align 1 %b, i64 %n, i1 false)
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 1 %b, ptr align 16 %[[ROOM]], i64 %n, i1 false)
define void @exchange(ptr %a, ptr %b, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr inbounds i8, ptr %a, i64 %i
  %pb = getelementptr inbounds i8, ptr %b, i64 %i
  %t = load i8, ptr %pa, align 1
  %u = load i8, ptr %pb, align 1
  store i8 %u, ptr %pa, align 1
  store i8 %t, ptr %pb, align 1
  %i.next = add i64 %i, 1
  br label %head
exit:
  ret void
}

; A row of code is a loop that was unrolled.
; CHECK-LABEL: define internal void @adze.primal.row(
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr align 4 %d, ptr align 4 %s, i64 8, i1 false)
define void @row(ptr %d, ptr %s) {
  %w0 = load i32, ptr %s, align 4
  store i32 %w0, ptr %d, align 4
  %s4 = getelementptr inbounds i8, ptr %s, i64 4
  %d4 = getelementptr inbounds i8, ptr %d, i64 4
  %w1 = load i32, ptr %s4, align 4
  store i32 %w1, ptr %d4, align 4
  ret void
}

; What the loop looks at stays a loop; so does what is a float.
; CHECK-LABEL: define internal void @adze.primal.string(
; CHECK-NOT: memmove
; CHECK: ret void
define void @string(ptr noalias %d, ptr noalias %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds i8, ptr %s, i64 %i
  %byte = load i8, ptr %from, align 1
  %to = getelementptr inbounds i8, ptr %d, i64 %i
  store i8 %byte, ptr %to, align 1
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i8 %byte, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; CHECK-LABEL: define internal void @adze.primal.floats(
; CHECK-NOT: memmove
; CHECK: ret void
define void @floats(ptr noalias %d, ptr noalias %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds double, ptr %s, i64 %i
  %v = load double, ptr %from, align 8
  %to = getelementptr inbounds double, ptr %d, i64 %i
  store double %v, ptr %to, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The optimizer had read the pointer before the loop that moves its bytes, and
; unrolled the loop.
; CHECK-LABEL: define internal void @adze.primal.parts(
; CHECK: store ptr %p, ptr %d, align 8
; CHECK-NOT: store i
; CHECK: ret void
define void @parts(ptr %d, ptr noalias %s) {
  %p = load ptr, ptr %s, align 8
  %word = ptrtoint ptr %p to i64
  %low = trunc i64 %word to i32
  %shifted = lshr i64 %word, 32
  %high = trunc i64 %shifted to i32
  %d4 = getelementptr inbounds i8, ptr %d, i64 4
  store i32 %high, ptr %d4, align 4
  store i32 %low, ptr %d, align 8
  ret void
}

define void @calls(ptr %a, ptr %da, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @upward, ptr %a, ptr %da, ptr %a, ptr %da, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @downward, ptr %a, ptr %da, ptr %a, ptr %da, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @words, ptr %a, ptr %da, ptr %a, ptr %da, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @exchange, ptr %a, ptr %da, ptr %a, ptr %da, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @row, ptr %a, ptr %da, ptr %a, ptr %da)
  call void (ptr, ...) @__enzyme_autodiff(ptr @string, ptr %a, ptr %da, ptr %a, ptr %da)
  call void (ptr, ...) @__enzyme_autodiff(ptr @floats, ptr %a, ptr %da, ptr %a, ptr %da, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @parts, ptr %a, ptr %da, ptr %a, ptr %da)
  ret void
}
