; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A cursor that is kept in memory and advanced there: the tree grows with every
; step and is stopped.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %cursor: {[0]:Pointer -> {[0]:Pointer -> {[*8]:Float@double~}}}{{$}}
; CHECK-DAG:   %v: {[0]:Float@double}{{$}}
; CHECK-DAG:   %end: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK-DAG:   %next: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}

define void @f(ptr %cursor, double %v) {
  %end = load ptr, ptr %cursor
  store double %v, ptr %end
  %next = getelementptr inbounds i8, ptr %end, i64 8
  store ptr %next, ptr %cursor
  ret void
}

define void @differentiate(ptr %a0, ptr %d0, double %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, double %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
