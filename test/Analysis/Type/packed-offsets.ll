; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Floats at odd offsets, in an array of records of 11 bytes.
; Records of which an odd number of bytes is skipped each time have no common period.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %r: {[0]:Pointer -> {[*11]:Integer?, [1*11]:Float@double, [9*11]:Integer(2)?}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer -> {[*11]:Float@double, [8*11]:Integer(2)?, [10*11]:Integer?}}{{$}}
; CHECK-DAG:   %next: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %r: {[0]:Pointer -> {[1]:Float@double, [11]:Float@float}}{{$}}
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@double, [10]:Float@float}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

%record = type <{ i8, double, i16 }>

define double @f(ptr %r, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr inbounds %record, ptr %r, i64 %i, i32 1
  %v = load double, ptr %at, align 1
  %more = fadd double %sum, %v
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret double %more
}
define double @g(ptr %r) {
  %a = getelementptr i8, ptr %r, i64 1
  %v = load double, ptr %a, align 1
  %b = getelementptr i8, ptr %r, i64 11
  %w = load float, ptr %b, align 1
  %c = fpext float %w to double
  %s = fadd double %v, %c
  ret double %s
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
