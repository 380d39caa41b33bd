; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; A cycle with two entries inside a counted loop: the outer count survives.

define double @f(double %x, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %vb.next, %latch ]
  %c = fcmp ogt double %s, 3.0
  br i1 %c, label %a, label %b
a:
  %va = phi double [ %s, %outer ], [ %vb.next, %b ]
  %va.next = fmul double %va, 5.0e-1
  br label %b
b:
  %vb = phi double [ %s, %outer ], [ %va.next, %a ]
  %vb.next = fadd double %vb, 1.0e-1
  %more = fcmp ogt double %vb.next, 1.0
  br i1 %more, label %a, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 9
  br i1 %again, label %outer, label %exit
exit:
  ret double %vb.next
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %Guard.a = phi i1 [ true, %b.a_crit_edge ], [ %Guard.a.ph14, %irr.guard.outer ]
; CHECK: br i1 %Guard.a, label %a, label %b
; CHECK: ; loop %outer depth 1: counter %i.reg2mem9.0, last iteration 8, bound 8, exit %latch -> %exit
; CHECK-NEXT: ; loop %irr.guard.outer depth 2: counter %adze.counter, last iteration none, bound none, exit %b -> %latch
; CHECK-NEXT: ; loop %irr.guard depth 3: counter %adze.counter16, last iteration none, bound none, exit none or several
; CHECK-NEXT: ; merge %irr.guard.preheader: %c in %outer.b_crit_edge %outer.a_crit_edge
; CHECK-NEXT: ; exit %a: leaves %irr.guard in iteration %adze.left
; CHECK-NEXT: ; exit %latch: leaves %irr.guard in iteration %adze.left18
; CHECK-NEXT: ; exit %latch: leaves %irr.guard.outer in iteration %adze.left19
; CHECK-NEXT: ; exit %exit: leaves %outer in iteration 8
