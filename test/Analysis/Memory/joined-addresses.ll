; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The first iteration, in which the inner loop does not run, comes to the store another way: with the index 0, which
; is i * n + i there.
;
; RUN: %adze-opt --stop-after=memory %s | FileCheck %s

; CHECK-LABEL: memory of adze.primal.diagonal
; CHECK: %v = load double
; CHECK-NEXT: survives
define double @diagonal(i64 %n, ptr noalias %l) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %start, label %none
none:
  ret double 0.0
start:
  br label %outer
outer:
  %i = phi i64 [ 0, %start ], [ %i1, %join ]
  %row = mul nuw nsw i64 %i, %n
  %first = icmp eq i64 %i, 0
  br i1 %first, label %early, label %many
early:
  br label %join
many:
  %d = add nuw nsw i64 %row, %i
  br label %inner
inner:
  %k = phi i64 [ 0, %many ], [ %k1, %inner ]
  %s = phi double [ 1.0, %many ], [ %s1, %inner ]
  %at = add nuw nsw i64 %row, %k
  %p = getelementptr inbounds double, ptr %l, i64 %at
  %v = load double, ptr %p
  %q = fmul double %v, %v
  %s1 = fadd double %s, %q
  %k1 = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %k1, %i
  br i1 %done, label %exit, label %inner
exit:
  %s2 = phi double [ %s1, %inner ]
  br label %join
join:
  %index = phi i64 [ 0, %early ], [ %d, %exit ]
  %r = phi double [ 1.0, %early ], [ %s2, %exit ]
  %w = getelementptr inbounds double, ptr %l, i64 %index
  store double %r, ptr %w
  %i1 = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %i1, %n
  br i1 %end, label %out, label %outer
out:
  ret double %r
}

; It is not 1.
; CHECK-LABEL: memory of adze.primal.elsewhere
; CHECK: %v = load double
; CHECK-NEXT: overwritten by
define double @elsewhere(i64 %n, ptr noalias %l) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %start, label %none
none:
  ret double 0.0
start:
  br label %outer
outer:
  %i = phi i64 [ 0, %start ], [ %i1, %join ]
  %row = mul nuw nsw i64 %i, %n
  %first = icmp eq i64 %i, 0
  br i1 %first, label %early, label %many
early:
  br label %join
many:
  %d = add nuw nsw i64 %row, %i
  br label %inner
inner:
  %k = phi i64 [ 0, %many ], [ %k1, %inner ]
  %s = phi double [ 1.0, %many ], [ %s1, %inner ]
  %at = add nuw nsw i64 %row, %k
  %p = getelementptr inbounds double, ptr %l, i64 %at
  %v = load double, ptr %p
  %q = fmul double %v, %v
  %s1 = fadd double %s, %q
  %k1 = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %k1, %i
  br i1 %done, label %exit, label %inner
exit:
  %s2 = phi double [ %s1, %inner ]
  br label %join
join:
  %index = phi i64 [ 1, %early ], [ %d, %exit ]
  %r = phi double [ 1.0, %early ], [ %s2, %exit ]
  %w = getelementptr inbounds double, ptr %l, i64 %index
  store double %r, ptr %w
  %i1 = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %i1, %n
  br i1 %end, label %out, label %outer
out:
  ret double %r
}

declare double @__enzyme_autodiff(ptr, ...)
define void @gradients(i64 %n, ptr %l, ptr %dl) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @diagonal, i64 %n, ptr %l, ptr %dl)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @elsewhere, i64 %n, ptr %l, ptr %dl)
  ret void
}
