; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The state of a random number generator is a number, and so is what it is made of.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Integer(8)~}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %state: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %a1: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %a: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %b1: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %b: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %c1: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %c: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %next: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %state = phi i64 [ 88172645463325252, %entry ], [ %c, %loop ]
  %a1 = shl i64 %state, 13
  %a = xor i64 %a1, %state
  %b1 = lshr i64 %a, 7
  %b = xor i64 %b1, %a
  %c1 = shl i64 %b, 17
  %c = xor i64 %c1, %b
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  store i64 %c, ptr %x
  ret double 0.0
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
