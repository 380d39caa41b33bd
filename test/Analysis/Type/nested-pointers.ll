; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A matrix as an array of row pointers.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %m: {[0]:Pointer -> {[*8]:Pointer -> {[*8]:Float@double}}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %j: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %rp: {[0]:Pointer -> {[*8]:Pointer -> {[*8]:Float@double}}}{{$}}
; CHECK-DAG:   %row: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %m, i64 %i, i64 %j) {
  %rp = getelementptr inbounds ptr, ptr %m, i64 %i
  %row = load ptr, ptr %rp
  %p = getelementptr inbounds double, ptr %row, i64 %j
  %v = load double, ptr %p
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
