; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A byte or word that is a number says nothing of those beside it; a member of a
; structure says what the same member of other elements is.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %bytes: {[0]:Pointer}{{$}}
; CHECK-DAG:   %words: {[0]:Pointer}{{$}}
; CHECK-DAG:   %records: {[0]:Pointer -> {[*16]:Integer(8), [8*16]:Integer(8)?}}{{$}}

%record = type { i64, i64 }

define double @f(ptr %bytes, ptr %words, ptr %records, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr [ %bytes, %entry ], [ %q, %loop ]
  %low = trunc i64 %i to i8
  store i8 %low, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %word = getelementptr i64, ptr %words, i64 %i
  store i64 %i, ptr %word
  %member = getelementptr %record, ptr %records, i64 %i, i32 0
  store i64 %i, ptr %member
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret double 0.0
}

define void @differentiate(ptr %a, ptr %da) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, ptr %a, ptr %da, ptr %a, ptr %da, i64 3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
