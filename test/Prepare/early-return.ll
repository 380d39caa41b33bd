; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; A return in the inner loop leaves both loops at once.

define double @f(double %x, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %t.next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %next ]
  %t = phi double [ %s, %outer ], [ %t.next, %next ]
  %t.next = fmul double %t, %x
  %big = fcmp ogt double %t.next, 1.0e3
  br i1 %big, label %found, label %next
next:
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 5
  br i1 %again, label %outer, label %exit
found:
  ret double %t
exit:
  %r = fadd double %t.next, 1.0
  ret double %r
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %umax = call i64 @llvm.umax.i64(i64 %n, i64 1)
; CHECK: %0 = add i64 %umax, -1
; CHECK: %adze.left = phi i64 [ %j, %next ]
; CHECK: %adze.left4 = phi i64 [ %i, %inner ]
; CHECK: %adze.left3 = phi i64 [ %j, %inner ]
; CHECK: %adze.from = phi i1 [ false, %common.ret.loopexit ], [ true, %exit ]
; CHECK: %adze.left5 = phi i64 [ %i, %latch ]
; CHECK: ; loop %outer depth 1: counter %i, last iteration none, bound 4, exit none or several
; CHECK-NEXT: ; loop %inner depth 2: counter %j, last iteration none, bound %0, exit none or several
; CHECK-NEXT: ; merge %common.ret: %adze.from in %common.ret.loopexit %exit
; CHECK-NEXT: ; exit %latch: leaves %inner in iteration %adze.left
; CHECK-NEXT: ; exit %common.ret.loopexit: leaves %inner in iteration %adze.left3
; CHECK-NEXT: ; exit %common.ret.loopexit: leaves %outer in iteration %adze.left4
; CHECK-NEXT: ; exit %exit: leaves %outer in iteration %adze.left5
