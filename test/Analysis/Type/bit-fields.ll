; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fields of bits are numbers: what is masked and shifted by odd amounts is no float.
; A mask of whole halves is a move, and keeps one.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[8]:Float@double}}{{$}}
; CHECK-DAG:   %word: {}{{$}}
; CHECK-DAG:   %shifted: {[0]:Integer(4)?}{{$}}
; CHECK-DAG:   %field: {[0]:Integer(4)?}{{$}}
; CHECK-DAG:   %cleared: {[1]:Anything}{{$}}
; CHECK-DAG:   %next: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %limited: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %placed: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %merged: {}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   %word: {[0]:Float@float}{{$}}
; CHECK-DAG:   %field: {[0]:Float@float, [4]:Anything(4)}{{$}}
; CHECK-DAG:   %low: {[0]:Float@float}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %s) {
  %word = load i32, ptr %s
  %shifted = lshr i32 %word, 3
  %field = and i32 %shifted, 8191
  %cleared = and i32 %word, -65529
  %next = add i32 %field, 1
  %limited = and i32 %next, 8191
  %placed = shl i32 %limited, 3
  %merged = or i32 %cleared, %placed
  store i32 %merged, ptr %s
  %m = getelementptr i8, ptr %s, i64 8
  %v = load double, ptr %m
  ret double %v
}
define double @g(ptr %s) {
  %v = load float, ptr %s
  %word = load i64, ptr %s
  %field = and i64 %word, 4294967295
  %low = trunc i64 %field to i32
  %back = bitcast i32 %low to float
  %r = fpext float %back to double
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
