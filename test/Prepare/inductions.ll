; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; What advances by a fixed step is computed from the counter; by how much does not
; wrap around for an address that stays in its object, so that LLVM can count the
; steps up to an end address.

define double @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 3, %entry ], [ %i.next, %loop ]
  %q = phi ptr [ %p, %entry ], [ %q.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %v = load double, ptr %q, align 8
  %w = sitofp i32 %i to double
  %vw = fmul double %v, %w
  %s.next = fadd double %s, %vw
  %q.next = getelementptr inbounds double, ptr %q, i64 1
  %i.next = add nuw nsw i32 %i, 2
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %s.next
}

declare void @__enzyme_autodiff(ptr, ...)
define void @gradient(ptr %p, ptr %dp, i32 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, i32 %n)
  ret void
}

; CHECK-LABEL: ; primal of @f
; CHECK: %adze.counter = phi i64 [ 0, %entry ], [ %adze.next, %loop ]
; CHECK: %3 = mul nuw nsw i64 %adze.counter, 8
; CHECK: %q = getelementptr inbounds i8, ptr %p, i64 %3
; CHECK: %4 = trunc nuw nsw i64 %adze.counter to i32
; CHECK: %5 = mul nuw nsw i32 %4, 2
; CHECK: %i = add nuw nsw i32 3, %5
; CHECK: %adze.next = add nuw nsw i64 %adze.counter, 1
; CHECK: ; loop %loop depth 1: counter %adze.counter, last iteration %2, bound %2, exit %loop -> %exit
; CHECK-NEXT: ; exit %exit: leaves %loop in iteration %2
