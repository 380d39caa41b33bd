; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two ways round of 25 and 40 bytes: a number that is read at the places so reached
; is none at every fifth byte, and says nothing of the bytes between.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %p: {[0]:Pointer}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)}{{$}}

define double @f(ptr %x, ptr %end, i1 %skip) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %one, %near ], [ %two, %far ]
  %s = phi double [ 0.0, %entry ], [ %sum, %near ], [ %sum, %far ]
  %np = getelementptr inbounds i8, ptr %p, i64 16
  %n = load i32, ptr %np
  %w = sitofp i32 %n to double
  %sum = fadd double %s, %w
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %more
more:
  br i1 %skip, label %far, label %near
near:
  %one = getelementptr inbounds i8, ptr %p, i64 25
  br label %loop
far:
  %two = getelementptr inbounds i8, ptr %p, i64 40
  br label %loop
exit:
  ret double %sum
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
