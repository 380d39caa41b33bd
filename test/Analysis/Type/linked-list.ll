; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer chased through memory; the tree is as deep as trees are.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %head: {[0]:Pointer -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~}}}}}}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double, [8]:Pointer -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~}}}}}}}{{$}}
; CHECK-DAG:   %np: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~}}}}}}}{{$}}
; CHECK-DAG:   %next: {[0]:Pointer -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~ -> {[0]:Float@double~, [8]:Pointer~}}}}}}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %head) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %head, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %v = load double, ptr %p
  %sum = fadd double %s, %v
  %np = getelementptr inbounds i8, ptr %p, i64 8
  %next = load ptr, ptr %np
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %loop
exit:
  ret double %sum
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
