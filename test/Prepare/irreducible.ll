; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; A cycle with two entries becomes a loop with one header.

define double @f(double %x, i64 %n) {
entry:
  %c = icmp sgt i64 %n, 3
  br i1 %c, label %a, label %b
a:
  %va = phi double [ %x, %entry ], [ %vb.next, %b ]
  %ia = phi i64 [ 0, %entry ], [ %ib, %b ]
  %va.next = fmul double %va, 2.0
  br label %b
b:
  %vb = phi double [ %x, %entry ], [ %va.next, %a ]
  %ibx = phi i64 [ 0, %entry ], [ %ia, %a ]
  %vb.next = fadd double %vb, 1.0
  %ib = add nsw i64 %ibx, 1
  %more = icmp slt i64 %ib, %n
  br i1 %more, label %a, label %exit
exit:
  ret double %vb.next
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %Guard.a = phi i1 [ true, %b.a_crit_edge ], [ %Guard.a.ph10, %irr.guard.outer ]
; CHECK: br i1 %Guard.a, label %a, label %b
; CHECK: ; loop %irr.guard.outer depth 1: counter %adze.counter, last iteration none, bound none, exit %b -> %exit
; CHECK-NEXT: ; loop %irr.guard depth 2: counter %adze.counter13, last iteration none, bound none, exit none or several
; CHECK-NEXT: ; merge %irr.guard.preheader: %c in %entry.b_crit_edge %entry.a_crit_edge
; CHECK-NEXT: ; exit %a: leaves %irr.guard in iteration %adze.left
; CHECK-NEXT: ; exit %exit: leaves %irr.guard in iteration %adze.left15
; CHECK-NEXT: ; exit %exit: leaves %irr.guard.outer in iteration %adze.left16
