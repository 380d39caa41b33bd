; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer that advances in a loop: what is at one step is at every step.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %end: {[0]:Pointer}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %next: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %end) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %v = load double, ptr %p
  %sum = fadd double %s, %v
  %next = getelementptr inbounds i8, ptr %p, i64 8
  %done = icmp eq ptr %next, %end
  br i1 %done, label %exit, label %loop
exit:
  ret double %sum
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
