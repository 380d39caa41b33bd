; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An array of records that is a member, behind others: the sum of its place and a multiple of the record's size is no
; multiple of anything that the places of other members are.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %o: {[0]:Pointer -> {[8]:Integer(4)~, [40*72]:Float@double}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*72]:Float@double}}{{$}}
define double @f(ptr %o, i64 %n) {
  %m = getelementptr i8, ptr %o, i64 8
  %c = load i32, ptr %m
  %c1 = add i32 %c, 1
  store i32 %c1, ptr %m
  %at = mul nuw nsw i64 %n, 72
  %index = add nuw nsw i64 40, %at
  %p = getelementptr inbounds i8, ptr %o, i64 %index
  %v = load double, ptr %p
  ret double %v
}

; A neighbour in a row of floats is still one of the row.
; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
define double @g(ptr %x, i64 %n) {
  %at = mul nuw nsw i64 %n, 8
  %index = add nuw nsw i64 %at, 16
  %p = getelementptr inbounds i8, ptr %x, i64 %index
  %v = load double, ptr %p
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a0, ptr %d0, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
