; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; A count that is hoisted out of the outer loop is 0 where the condition
; before the inner loop fails: memory is sized by it whether or not the loop runs.

define double @f(double %x, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %u, %latch ]
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %inner, label %latch
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %t = phi double [ %s, %outer ], [ %t.next, %inner ]
  %t.next = fmul double %t, %x
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %u = phi double [ %s, %outer ], [ %t.next, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 9
  br i1 %again, label %outer, label %exit
exit:
  ret double %u
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i32 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i32 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %adze.guard = icmp sgt i32 %n, 0
; CHECK: %1 = zext i32 %0 to i64
; CHECK: %adze.last = select i1 %adze.guard, i64 %1, i64 0
; CHECK: ; loop %outer depth 1: counter %i, last iteration 8, bound 8, exit %latch -> %exit
; CHECK-NEXT: ; loop %inner depth 2: counter %adze.counter, last iteration %adze.last, bound %adze.last, exit %inner -> %latch.loopexit
; CHECK-NEXT: ; merge %latch: %some in %outer %latch.loopexit
; CHECK-NEXT: ; exit %latch.loopexit: leaves %inner in iteration %adze.last
; CHECK-NEXT: ; exit %exit: leaves %outer in iteration 8
