; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; An alloca of constant size stands in the entry block unless it is in a loop.

define double @f(double %x, i64 %n) {
entry:
  %c = icmp sgt i64 %n, 4
  br i1 %c, label %then, label %exit
then:
  %once = alloca [4 x double], align 8
  call void @fill(ptr %once, double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %then ], [ %i.next, %loop ]
  %each = alloca [2 x double], align 8
  call void @fill(ptr %each, double %x)
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %x
}
define void @fill(ptr %p, double %x) noinline {
  store double %x, ptr %p, align 8
  ret void
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %once = alloca [4 x double], align 8
; CHECK: loop:
; CHECK: %each = alloca [2 x double], align 8
; CHECK: ; loop %loop depth 1: counter %i, last iteration %0, bound %0, exit %loop -> %exit.loopexit
; CHECK-NEXT: ; merge %exit: %c in %entry %exit.loopexit
; CHECK-NEXT: ; exit %exit.loopexit: leaves %loop in iteration %0
