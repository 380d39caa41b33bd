; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; What comes from -O0: variables in memory, optnone. Memory becomes values, a
; triangle without effects a select.

define double @f(double %x, i32 %n) noinline optnone {
entry:
  %x.addr = alloca double, align 8
  %s = alloca double, align 8
  %i = alloca i32, align 4
  store double %x, ptr %x.addr, align 8
  store double 0.0, ptr %s, align 8
  store i32 0, ptr %i, align 4
  br label %cond
cond:
  %now = load i32, ptr %i, align 4
  %more = icmp slt i32 %now, %n
  br i1 %more, label %body, label %end
body:
  %v = load double, ptr %s, align 8
  %w = load double, ptr %x.addr, align 8
  %sum = fadd double %v, %w
  store double %sum, ptr %s, align 8
  %this = load i32, ptr %i, align 4
  %next = add nsw i32 %this, 1
  store i32 %next, ptr %i, align 4
  br label %cond
end:
  %r = load double, ptr %s, align 8
  ret double %r
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i32 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i32 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: define internal double @adze.primal.f(double %x, i32 %n) {
; CHECK: %smax = call i32 @llvm.smax.i32(i32 %n, i32 0)
; CHECK: %0 = zext nneg i32 %smax to i64
; CHECK: %adze.counter = phi i64 [ 0, %entry ], [ %adze.next, %body ]
; CHECK: %s.0 = phi double [ 0.000000e+00, %entry ], [ %sum, %body ]
; CHECK: %i.0 = trunc nuw nsw i64 %adze.counter to i32
; CHECK: %adze.next = add nuw nsw i64 %adze.counter, 1
; CHECK: ; loop %cond depth 1: counter %adze.counter, last iteration %0, bound %0, exit %cond -> %end
; CHECK-NEXT: ; exit %end: leaves %cond in iteration %0
; GONE-NOT: {{alloca|optnone}}
