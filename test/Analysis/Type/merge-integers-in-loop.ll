; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bits of a double carried round a loop.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %start: {[0]:Float@double}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %carried: {[0]:Float@double}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %vbits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %kept: {[0]:Float@double}{{$}}
; CHECK-DAG:   %next: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y, i64 %n) {
entry:
  %first = load double, ptr %x
  %start = bitcast double %first to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %carried = phi i64 [ %start, %entry ], [ %kept, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %vbits = bitcast double %v to i64
  %c = fcmp olt double %v, 0.0
  %kept = select i1 %c, i64 %vbits, i64 %carried
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  store i64 %kept, ptr %y
  ret double %first
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
