; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant index below zero: what is known there is known of the memory before the pointer.
; What stands before an argument is told of the address before it alone.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[8]:Float@double, [16]:Float@double?}}{{$}}
; CHECK-DAG:   %end: {[0]:Pointer -> {[0]:Float@double?}}{{$}}
; CHECK-DAG:   %last: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double?}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Pointer}{{$}}
; CHECK-DAG:   %before: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x) {
  %end = getelementptr double, ptr %x, i64 2
  %last = getelementptr double, ptr %end, i64 -1
  %v = load double, ptr %last
  ret double %v
}
define double @g(ptr %x) {
  %before = getelementptr i8, ptr %x, i64 -8
  %v = load double, ptr %before
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
