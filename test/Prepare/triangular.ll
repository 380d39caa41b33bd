; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; The inner count depends on the outer iteration; the outer one does not.

define double @f(double %x, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %t.out, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %t = phi double [ %s, %outer ], [ %t.next, %inner ]
  %t.next = fmul double %t, %x
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j, %i
  br i1 %more, label %inner, label %latch
latch:
  %t.out = phi double [ %t.next, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %outer, label %exit
exit:
  ret double %t.out
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %umax = call i64 @llvm.umax.i64(i64 %n, i64 1)
; CHECK: %0 = add i64 %umax, -1
; CHECK: ; loop %outer depth 1: counter %i, last iteration %0, bound %0, exit %latch -> %exit
; CHECK-NEXT: ; loop %inner depth 2: counter %j, last iteration %i, bound %i, exit %inner -> %latch
; CHECK-NEXT: ; exit %latch: leaves %inner in iteration %i
; CHECK-NEXT: ; exit %exit: leaves %outer in iteration %0
