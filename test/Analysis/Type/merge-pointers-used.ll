; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A use through a merge tells both inputs, less surely; null is no input.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@double~}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Float@double~}}{{$}}
; CHECK-DAG:   %c: {[0]:Integer}{{$}}
; CHECK-DAG:   %d: {[0]:Integer}{{$}}
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double~}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, i1 %c, i1 %d) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  %s = select i1 %d, ptr %b, ptr null
  br label %join
join:
  %p = phi ptr [ %a, %left ], [ %s, %right ]
  %v = load double, ptr %p
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2, i1 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2, i1 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
