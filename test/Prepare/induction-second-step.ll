; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; What advances by a step that itself advances by a fixed step is computed from
; the counter. One more level of steps stays as it is.

; Columns of a packed triangular matrix. The steps are 8 n - 8 and -8: the
; latter is even, so the offset is a polynomial. The first step may be poison
; where the loop runs once: 0 times it must be 0.
define double @columns(ptr %p, i64 %n) {
entry:
  %m = add nsw i64 %n, -1
  br label %loop
loop:
  %step = phi i64 [ %m, %entry ], [ %step.next, %loop ]
  %q = phi ptr [ %p, %entry ], [ %q.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %v = load double, ptr %q, align 8
  %vv = fmul double %v, %v
  %s.next = fadd double %s, %vv
  %q.next = getelementptr inbounds double, ptr %q, i64 %step
  %step.next = add i64 %step, -1
  %more = icmp sgt i64 %step.next, 0
  br i1 %more, label %loop, label %exit
exit:
  ret double %s.next
}
; CHECK-LABEL: ; primal of @columns
; CHECK: %[[FROZEN:adze.step.*]] = freeze i64
; CHECK: %[[FIRST:.*]] = sub i64 %[[FROZEN]], -4
; CHECK: loop:
; CHECK: %[[I:.*]] = phi i64 [ 0, %entry ]
; CHECK-NOT: phi ptr
; CHECK: %[[HI:.*]] = mul i64 %[[I]], -4
; CHECK: %[[SUM:.*]] = add i64 %[[FIRST]], %[[HI]]
; CHECK: %[[OFFSET:.*]] = mul i64 %[[SUM]], %[[I]]
; CHECK: %q = getelementptr inbounds i8, ptr %p, i64 %[[OFFSET]]
; CHECK: exit:

; An odd second step: i (i - 1) / 2 is exact in 64 bits, then cut to 16.
define double @odd(ptr %p, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %step = phi i16 [ 7, %entry ], [ %step.next, %loop ]
  %k = phi i16 [ 5, %entry ], [ %k.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %q = getelementptr inbounds double, ptr %p, i16 %k
  %v = load double, ptr %q, align 8
  %vv = fmul double %v, %v
  %s.next = fadd double %s, %vv
  %k.next = add nuw nsw i16 %k, %step
  %step.next = add i16 %step, 3
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %s.next
}
; CHECK-LABEL: ; primal of @odd
; CHECK: loop:
; CHECK: %i = phi i64 [ 0, %entry ]
; CHECK-NOT: phi i16
; CHECK: %[[EVEN:.*]] = lshr i64 %i, 1
; CHECK-NEXT: %[[LESS:.*]] = add i64 %i, -1
; CHECK-NEXT: %[[ODD:.*]] = or i64 %[[LESS]], 1
; CHECK-NEXT: %[[PAIRS:.*]] = mul i64 %[[EVEN]], %[[ODD]]
; CHECK-NEXT: %[[CUT:.*]] = trunc i64 %[[PAIRS]] to i16
; CHECK-NEXT: %[[NARROW:.*]] = trunc i64 %i to i16
; CHECK-NEXT: %[[LINEAR:.*]] = mul i16 %[[NARROW]], 7
; CHECK-NEXT: %[[SECOND:.*]] = mul i16 %[[CUT]], 3
; CHECK-NEXT: %[[OFFSET:.*]] = add i16 %[[LINEAR]], %[[SECOND]]
; CHECK-NEXT: %k = add i16 5, %[[OFFSET]]
; CHECK: exit:

; Wider than the counter: all of i (i - 1) / 2 is needed.
define double @wide(ptr %p, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %step = phi i128 [ 0, %entry ], [ %step.next, %loop ]
  %k = phi i128 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %v = load double, ptr %p, align 8
  %w = uitofp i128 %k to double
  %vw = fmul double %v, %w
  %s.next = fadd double %s, %vw
  %k.next = add i128 %k, %step
  %step.next = add i128 %step, 1
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %s.next
}
; CHECK-LABEL: ; primal of @wide
; CHECK: loop:
; CHECK-NOT: phi i128
; CHECK: %[[I:.*]] = zext i64 %i to i128
; CHECK-NEXT: lshr i128 %[[I]], 1
; CHECK: exit:

define double @cubic(ptr %p, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i64 [ 0, %entry ], [ %a.next, %loop ]
  %b = phi i64 [ 0, %entry ], [ %b.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %q = getelementptr inbounds double, ptr %p, i64 %b
  %v = load double, ptr %q, align 8
  %vv = fmul double %v, %v
  %s.next = fadd double %s, %vv
  %a.next = add i64 %a, %i
  %b.next = add i64 %b, %a
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %s.next
}
; CHECK-LABEL: ; primal of @cubic
; CHECK: loop:
; CHECK: %b = phi i64
; CHECK-NOT: %a = phi
; CHECK: exit:

; The inner step is nothing but the outer variable's next value: it survives
; the outer variable.
define double @shared(ptr %p, i64 noundef %n, i64 noundef %m) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %latch ]
  %k = phi i64 [ 0, %entry ], [ %k.next, %latch ]
  %r = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  %k.next = add i64 %k, %m
  %k.again = add i64 %m, %k
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi double [ %r, %outer ], [ %s.next, %inner ]
  %q = getelementptr inbounds double, ptr %p, i64 %j
  %v = load double, ptr %q, align 8
  %vv = fmul double %v, %v
  %s.next = fadd double %s, %vv
  %j.next = add i64 %j, %k.again
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %o.next = add i64 %o, 1
  %again = icmp slt i64 %o.next, %n
  br i1 %again, label %outer, label %exit
exit:
  ret double %s.next
}
; CHECK-LABEL: ; primal of @shared
; CHECK: outer:
; CHECK-NOT: %k = phi
; CHECK: inner:
; CHECK-NOT: %j = phi
; CHECK: %j = mul i64 %i, %
; CHECK: exit:

declare void @__enzyme_autodiff(ptr, ...)
define void @gradients(ptr %p, ptr %dp, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @columns, ptr %p, ptr %dp, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @odd, ptr %p, ptr %dp, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @wide, ptr %p, ptr %dp, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @cubic, ptr %p, ptr %dp, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @shared, ptr %p, ptr %dp, i64 %n, i64 %n)
  ret void
}
