; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Numbers that only count, and numbers that index.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)?}{{$}}
; CHECK-DAG:   %k: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %wide: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %next: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %k1: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %k2: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %low: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %both: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k = phi i64 [ 7, %entry ], [ %k2, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds double, ptr %x, i64 %wide
  store double 1.0, ptr %p
  %next = add nsw i32 %i, 1
  %k1 = mul i64 %k, 3
  %k2 = add i64 %k1, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %low = trunc i64 %k2 to i32
  %both = add i32 %low, %n
  %r = sitofp i32 %both to double
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, i32 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i32 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
