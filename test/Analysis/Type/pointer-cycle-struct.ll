; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A step of 24 bytes over structs; two ways round of 24 and 48 bytes.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*24]:Float@double, [16*24]:Integer(4)}}{{$}}
; CHECK-DAG:   %end: {[0]:Pointer}{{$}}
; CHECK-DAG:   %skip: {[0]:Integer}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*24]:Float@double, [16*24]:Integer(4)}}{{$}}
; CHECK-DAG:   %np: {[0]:Pointer -> {[*24]:Integer(4), [8*24]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   %one: {[0]:Pointer -> {[*24]:Float@double, [16*24]:Integer(4)}}{{$}}
; CHECK-DAG:   %two: {[0]:Pointer -> {[*24]:Float@double, [16*24]:Integer(4)}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %end, i1 %skip) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %one, %near ], [ %two, %far ]
  %s = phi double [ 0.0, %entry ], [ %sum, %near ], [ %sum, %far ]
  %v = load double, ptr %p
  %np = getelementptr inbounds i8, ptr %p, i64 16
  %n = load i32, ptr %np
  %w = sitofp i32 %n to double
  %vw = fmul double %v, %w
  %sum = fadd double %s, %vw
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %more
more:
  br i1 %skip, label %far, label %near
near:
  %one = getelementptr inbounds i8, ptr %p, i64 24
  br label %loop
far:
  %two = getelementptr inbounds i8, ptr %p, i64 48
  br label %loop
exit:
  ret double %sum
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
