; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; An exit that leads to abort() is none for the count.

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %s.next, %latch ]
  %s.next = fmul double %s, %x
  %bad = fcmp uno double %s.next, 0.0
  br i1 %bad, label %fail, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
fail:
  call void @abort()
  unreachable
exit:
  ret double %s.next
}
declare void @abort() noreturn

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %umax = call i64 @llvm.umax.i64(i64 %n, i64 1)
; CHECK: %0 = add i64 %umax, -1
; CHECK: ; loop %loop depth 1: counter %i, last iteration %0, bound %0, exit %latch -> %exit
; CHECK-NEXT: ; exit %exit: leaves %loop in iteration %0
; CHECK-NEXT: ; never returns from %fail
