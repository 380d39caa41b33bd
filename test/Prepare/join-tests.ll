; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; Jump threading tests in several blocks whether there is another iteration. One
; test takes their place, and what decided between them decides behind the loop.

define double @threaded(double %x, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br label %head
head:
  %t = phi i32 [ 0, %entry ], [ %t1, %nest ], [ %t2, %skip ]
  %s = phi double [ %x, %entry ], [ %square, %nest ], [ %sum, %skip ]
  br i1 %some, label %nest, label %skip
nest:
  %square = fmul double %s, %s
  %t1 = add nuw nsw i32 %t, 1
  %done1 = icmp eq i32 %t1, 20
  br i1 %done1, label %left, label %head
skip:
  %sum = fadd double %s, %x
  %t2 = add nuw nsw i32 %t, 1
  %done2 = icmp eq i32 %t2, 20
  br i1 %done2, label %none, label %head
left:
  %more = fmul double %square, %x
  ret double %more
none:
  ret double %sum
}

; CHECK-LABEL: ; primal of @threaded
; CHECK: head.backedge:
; CHECK: br i1 %{{.*}}, label %adze.exit, label %head
; CHECK: {{^}}adze.exit:
; CHECK: br i1 %some, label
; CHECK: ; loop %head {{.*}} last iteration 19, {{.*}} exit %head.backedge -> %adze.exit{{$}}

; The way is decided by what an iteration computes, for three exits.
define double @three(double %x, i64 %n) {
entry:
  br label %head
head:
  %t = phi i32 [ 0, %entry ], [ %t1, %a ], [ %t2, %b ], [ %t3, %c ]
  %s = phi double [ %x, %entry ], [ %s.a, %a ], [ %s.b, %b ], [ %s.c, %c ]
  %big = fcmp ogt double %s, 1.0
  br i1 %big, label %a, label %other
other:
  %small = fcmp olt double %s, 0.5
  br i1 %small, label %b, label %c
a:
  %s.a = fmul double %s, 0.5
  %t1 = add i32 %t, 1
  %done1 = icmp eq i32 %t1, 20
  br i1 %done1, label %left.a, label %head
b:
  %s.b = fmul double %s, 2.0
  %t2 = add i32 %t, 1
  %done2 = icmp eq i32 %t2, 20
  br i1 %done2, label %left.b, label %head
c:
  %s.c = fadd double %s, %x
  %t3 = add i32 %t, 1
  %done3 = icmp eq i32 %t3, 20
  br i1 %done3, label %left.c, label %head
left.a:
  %r.a = fmul double %s.a, %x
  ret double %r.a
left.b:
  %r.b = fadd double %s.b, %x
  ret double %r.b
left.c:
  ret double %x
}

; CHECK-LABEL: ; primal of @three
; CHECK: phi i1 [ %small, %c ], [ %small, %b ], [ false, %a ]
; CHECK: ; loop %head {{.*}} last iteration 19, {{.*}} exit %head.backedge -> %adze.exit{{$}}

; The first test stands in the middle.
define double @middle(double %x, i64 %n) {
entry:
  br label %head
head:
  %t = phi i64 [ 0, %entry ], [ %t1, %latch ]
  %s = phi double [ %x, %entry ], [ %square, %latch ]
  %t1 = add nuw nsw i64 %t, 1
  %more = icmp slt i64 %t1, %n
  br i1 %more, label %nest, label %left
nest:
  %i = phi i64 [ 0, %head ], [ %i1, %nest ]
  %p = phi double [ %s, %head ], [ %square, %nest ]
  %square = fmul double %p, %p
  %i1 = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %i1, %n
  br i1 %again, label %nest, label %latch
latch:
  br i1 %more, label %head, label %left
left:
  %r = phi double [ %s, %head ], [ %square, %latch ]
  ret double %r
}

; CHECK-LABEL: ; primal of @middle
; CHECK: ; loop %head {{.*}} last iteration %{{.*}} exit %adze.latch -> %adze.exit{{$}}

; The limits differ.
define double @differ(double %x, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br label %head
head:
  %t = phi i32 [ 0, %entry ], [ %t1, %nest ], [ %t2, %skip ]
  %s = phi double [ %x, %entry ], [ %square, %nest ], [ %sum, %skip ]
  br i1 %some, label %nest, label %skip
nest:
  %square = fmul double %s, %s
  %t1 = add nuw nsw i32 %t, 1
  %done1 = icmp eq i32 %t1, 20
  br i1 %done1, label %left, label %head
skip:
  %sum = fadd double %s, %x
  %t2 = add nuw nsw i32 %t, 1
  %done2 = icmp eq i32 %t2, 21
  br i1 %done2, label %left, label %head
left:
  %r = phi double [ %square, %nest ], [ %sum, %skip ]
  ret double %r
}

; CHECK-LABEL: ; primal of @differ
; CHECK: ; loop %head {{.*}} exit none or several

; Where an inner loop decides, nobody knows behind the loop.
define double @inner(double %x, i64 %n) {
entry:
  br label %head
head:
  %t = phi i32 [ 0, %entry ], [ %t1, %nest ], [ %t2, %skip ]
  br label %search
search:
  %s = phi double [ %x, %head ], [ %square, %next ]
  %square = fmul double %s, %s
  %big = fcmp ogt double %square, 1.0e3
  br i1 %big, label %nest, label %next
next:
  %small = fcmp olt double %square, 1.0e-3
  br i1 %small, label %skip, label %search
nest:
  %t1 = add nuw nsw i32 %t, 1
  %done1 = icmp eq i32 %t1, 20
  br i1 %done1, label %left, label %head
skip:
  %sum = fadd double %s, %x
  %t2 = add nuw nsw i32 %t, 1
  %done2 = icmp eq i32 %t2, 20
  br i1 %done2, label %none, label %head
left:
  %r = fmul double %square, %x
  ret double %r
none:
  ret double %x
}

; CHECK-LABEL: ; primal of @inner
; CHECK: ; loop %head {{.*}} exit none or several

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @threaded, double %x, i64 %n)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @three, double %x, i64 %n)
  %c = call double (ptr, ...) @__enzyme_autodiff(ptr @middle, double %x, i64 %n)
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @differ, double %x, i64 %n)
  %e = call double (ptr, ...) @__enzyme_autodiff(ptr @inner, double %x, i64 %n)
  ret double %a
}
