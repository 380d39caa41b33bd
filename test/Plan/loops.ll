; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where kept values of loops lie, and what is loaded again instead.
;
; RUN: %adze-opt --stop-after=plan %s | FileCheck %s

declare double @__enzyme_autodiff(ptr, ...)
declare { double, double } @__enzyme_autodiff_pair(ptr, ...)
declare double @exp(double)

; a[i] is overwritten, b[i] is not: a is kept, b is loaded again.
; CHECK-LABEL: plan of rev.mix.
; CHECK: %va = load {{ *}}keep in slot [[A:[0-9]+]]
; CHECK: %vb = load {{ *}}recompute
; CHECK: tape
; CHECK: [[A]]: double [%loop] on entry, at slot [[B:[0-9]+]] for %va = load
; CHECK: [[B]]: ptr for %va = load
define void @mix(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %pa = getelementptr inbounds double, ptr %a, i64 %i
  %pb = getelementptr inbounds double, ptr %b, i64 %i
  %va = load double, ptr %pa
  %vb = load double, ptr %pb
  %m = fmul double %va, %vb
  store double %m, ptr %pa
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @callMix(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @mix, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  ret void
}

; A loop that ends when the data says so: an array that grows.
; CHECK-LABEL: plan of rev.until.
; CHECK: double [%loop] growing, at slot
define double @until(double %x, double %eps) {
entry:
  br label %loop
loop:
  %v = phi double [ %x, %entry ], [ %w, %loop ]
  %w = fmul double %v, %v
  %more = fcmp ogt double %w, %eps
  br i1 %more, label %loop, label %done
done:
  ret double %w
}

define void @callUntil(double %x) {
  call { double, double } (ptr, ...) @__enzyme_autodiff_pair(ptr @until, double %x, double 0.1)
  ret void
}

; exp is kept, its argument is not; eight times: in the tape itself.
; CHECK-LABEL: plan of rev.eight.
; CHECK-NOT: %t = fmul {{ *}}keep
; CHECK: %e = call {{ *}}keep in slot [[E:[0-9]+]]
; CHECK: [[E]]: double [%loop 8] static for %e = call
define double @eight(ptr noalias %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fmul double %v, 3.0
  %e = call double @exp(double %t)
  %s.next = fadd double %s, %e
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 8
  br i1 %more, label %loop, label %done
done:
  ret double %s.next
}

define void @callEight(ptr %x, ptr %dx) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @eight, ptr %x, ptr %dx)
  ret void
}

; Row i has i + 1 elements: an array of pointers to rows.
; CHECK-LABEL: plan of rev.triangle.
; CHECK: [[R:[0-9]+]]: double [%inner] on entry, at slot [[P:[0-9]+]] for %t = phi
; CHECK: [[P]]: ptr [%outer] on entry, at slot [[T:[0-9]+]] for %t = phi
; CHECK: [[T]]: ptr for %t = phi
define double @triangle(ptr noalias %x, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %t.next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %t = phi double [ %s, %outer ], [ %t.next, %inner ]
  %p = getelementptr inbounds double, ptr %x, i64 %j
  %v = load double, ptr %p
  %t.next = fmul double %t, %v
  %j.next = add nuw nsw i64 %j, 1
  %more.j = icmp ule i64 %j.next, %i
  br i1 %more.j, label %inner, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more.i = icmp ult i64 %i.next, %n
  br i1 %more.i, label %outer, label %done
done:
  ret double %t.next
}

define void @callTriangle(ptr %x, ptr %dx, i64 %n) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @triangle, ptr %x, ptr %dx, i64 %n)
  ret void
}
