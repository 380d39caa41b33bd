; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The other way round: the array is known, the loop moves its bytes (volatile:
; else it would be a block copy).
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %known: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %k: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %knext: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y, i64 %i, i64 %n) {
entry:
  %known = getelementptr inbounds double, ptr %x, i64 %i
  %d = load double, ptr %known
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %pnext, %loop ]
  %q = phi ptr [ %y, %entry ], [ %qnext, %loop ]
  %k = phi i64 [ 0, %entry ], [ %knext, %loop ]
  %bits = load i64, ptr %p
  store volatile i64 %bits, ptr %q
  %pnext = getelementptr inbounds i8, ptr %p, i64 8
  %qnext = getelementptr inbounds i8, ptr %q, i64 8
  %knext = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %knext, %n
  br i1 %done, label %exit, label %loop
exit:
  ret double %d
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2, i64 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2, i64 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
