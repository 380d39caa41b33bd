; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two structs with a common beginning: the rest of one says nothing against the
; other.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@double~, [8]:Float@double}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Float@double~, [8]:Pointer -> {[0]:Float@double}}}{{$}}
; CHECK-DAG:   %c: {[0]:Integer}{{$}}
; CHECK-DAG:   %a8: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %b8: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, i1 %c) {
  %a8 = getelementptr i8, ptr %a, i64 8
  %x = load double, ptr %a8
  %b8 = getelementptr i8, ptr %b, i64 8
  %q = load ptr, ptr %b8
  %y = load double, ptr %q
  %p = select i1 %c, ptr %a, ptr %b
  %z = load double, ptr %p
  %xy = fmul double %x, %y
  %r = fmul double %xy, %z
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i1 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
