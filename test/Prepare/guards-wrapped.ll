; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt %s -o %t.bc && %clang -w -O1 %t.bc -o %t && %t | FileCheck --check-prefix=OUT %s
; Where an inner loop is not entered, its count may wrap around; it must not size
; memory then. Here the conditions on the way are not all known before the outer
; loop, so the count is looked at where the inner loop begins: the one that is known
; in @f speaks of n, but it holds for n = 0, too.

@many = constant [5 x i8] c"%.6g\00"

define double @f(double %x, i32 %n) {
entry:
  %rest = add i32 %n, -5
  %end = and i32 %rest, -4
  %above = add i32 %n, -6
  %few = icmp ult i32 %above, 3
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %u, %latch ]
  %small = fcmp olt double %s, 1.0e+30
  br i1 %small, label %check, label %latch
check:
  br i1 %few, label %latch, label %inner
inner:
  %j = phi i32 [ 0, %check ], [ %j.next, %inner ]
  %t = phi double [ %s, %check ], [ %t.next, %inner ]
  %t.next = fmul double %t, %t
  %j.next = add i32 %j, 4
  %last = icmp eq i32 %j.next, %end
  br i1 %last, label %latch, label %inner
latch:
  %u = phi double [ %s, %outer ], [ %s, %check ], [ %t.next, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 3
  br i1 %again, label %outer, label %exit
exit:
  ret double %u
}

define double @g(double %x, i32 %n, i32 %other) {
entry:
  %rest = add i32 %n, -5
  %end = and i32 %rest, -4
  %on = icmp sgt i32 %other, 1
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %u, %latch ]
  %small = fcmp olt double %s, 1.0e+30
  br i1 %small, label %check, label %latch
check:
  br i1 %on, label %inner, label %latch
inner:
  %j = phi i32 [ 0, %check ], [ %j.next, %inner ]
  %t = phi double [ %s, %check ], [ %t.next, %inner ]
  %t.next = fmul double %t, %t
  %j.next = add i32 %j, 4
  %last = icmp eq i32 %j.next, %end
  br i1 %last, label %latch, label %inner
latch:
  %u = phi double [ %s, %outer ], [ %s, %check ], [ %t.next, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 3
  br i1 %again, label %outer, label %exit
exit:
  ret double %u
}

declare double @__enzyme_autodiff(ptr, ...)
declare i32 @printf(ptr, ...)
define i32 @main(i32 %argc, ptr %argv) {
  %six = add i32 %argc, 5
  %nine = add i32 %argc, 8
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double 2.0, i32 %six)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double 2.0, i32 %nine)
  %c = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double 2.0, i32 %six, i32 %argc)
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double 2.0, i32 %nine, i32 %nine)
  %sum.1 = fadd double %a, %c
  %sum.2 = fadd double %b, %d
  %all = fadd double %sum.1, %sum.2
  %printed = call i32 (ptr, ...) @printf(ptr @many, double %all)
  ret i32 0
}

; CHECK-LABEL: ; primal of @f
; CHECK: inner.preheader:
; CHECK: %adze.last = freeze i64
; CHECK: ; loop %inner depth 2: counter %adze.counter, last iteration %adze.last,
; CHECK-LABEL: ; primal of @g
; CHECK: inner.preheader:
; CHECK: %adze.last = freeze i64
; CHECK: ; loop %inner depth 2: counter %adze.counter, last iteration %adze.last,
; Twice 1 (no inner iteration), twice the derivative of x^8: 8 * 2^7.
; OUT: 2050
