; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vector without elements holds null, others a block of their own. That two of
; them may be null says nothing of what is behind them.
; RUN: %adze-opt -adze-max-alias-checks=0 --stop-after=memory %s | FileCheck %s

; CHECK-LABEL: memory of adze.primal.f
; CHECK-NEXT:   %u = load double, ptr %p, align 8
; CHECK-NEXT:     -> survives
; CHECK-LABEL: memory of adze.primal.g
; CHECK-NEXT:   %u = load double, ptr %p, align 8
; CHECK-NEXT:     -> overwritten by  store double %m, ptr %q, align 8

define double @f(double %x, i64 %n) {
entry:
  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %made, label %make
make:
  %size = shl i64 %n, 3
  %new.a = call noalias ptr @malloc(i64 %size)
  %new.b = call noalias ptr @malloc(i64 %size)
  store double %x, ptr %new.a
  br label %made
made:
  %a = phi ptr [ null, %entry ], [ %new.a, %make ]
  %b = phi ptr [ null, %entry ], [ %new.b, %make ]
  br i1 %empty, label %exit, label %body
body:
  %i = phi i64 [ 0, %made ], [ %j, %body ]
  %p = getelementptr inbounds double, ptr %a, i64 0
  %q = getelementptr inbounds double, ptr %b, i64 %i
  %u = load double, ptr %p
  %m = fmul double %u, %u
  store double %m, ptr %q
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %exit
exit:
  ret double 0.0
}

; A function that may use the address 0.
define double @g(double %x, i64 %n) null_pointer_is_valid {
entry:
  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %made, label %make
make:
  %size = shl i64 %n, 3
  %new.a = call noalias ptr @malloc(i64 %size)
  %new.b = call noalias ptr @malloc(i64 %size)
  store double %x, ptr %new.a
  br label %made
made:
  %a = phi ptr [ null, %entry ], [ %new.a, %make ]
  %b = phi ptr [ null, %entry ], [ %new.b, %make ]
  br i1 %empty, label %exit, label %body
body:
  %i = phi i64 [ 0, %made ], [ %j, %body ]
  %p = getelementptr inbounds double, ptr %a, i64 0
  %q = getelementptr inbounds double, ptr %b, i64 %i
  %u = load double, ptr %p
  %m = fmul double %u, %u
  store double %m, ptr %q
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %exit
exit:
  ret double 0.0
}

define double @differentiate(double %x, i64 %n) {
  %f = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double %x, i64 %n)
  %r = fadd double %f, %g
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
@enzyme_const = external global i32
@enzyme_dup = external global i32
