; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Declared integers are believed last: words that a caller knows to be doubles
; are doubles. An integer variable alone says nothing of what is in it.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double, [*8]:Integer(8)?}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double~, [*8]:Integer(8)?}}{{$}}
; CHECK-DAG:   %z: {[0]:Pointer -> {[*8]:Integer(8)?}}{{$}}
; CHECK-DAG:   %u: {[0]:Pointer -> {[*8]:Integer(8)?}}{{$}}
; CHECK-DAG:   %v: {[0]:Pointer}{{$}}
; CHECK:       context of @move: {[0]:Pointer~ -> {[0]:Float@double~}} {[0]:Pointer~ -> {[0]:Float@double~}}{{$}}
; CHECK-NOT:   context

define double @f(ptr %x, ptr %y, ptr %z, ptr %u, ptr %v) {
  %word = alloca i64, !adze.type !0
  %r = load double, ptr %x
  call void @move(ptr %y, ptr %x)
  call void @move(ptr %z, ptr %u)
  %vw = load i64, ptr %v
  store i64 %vw, ptr %word
  %vw2 = load i64, ptr %word
  store i64 %vw2, ptr %v
  ret double %r
}
define internal void @move(ptr "adze_type"="{[0]:Pointer? -> {[*8]:Integer(8)?}}" %to, ptr "adze_type"="{[0]:Pointer? -> {[*8]:Integer(8)?}}" %from) noinline {
  %bits = load i64, ptr %from
  store i64 %bits, ptr %to
  ret void
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, ptr %a4, ptr %d4) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, ptr %a4, ptr %d4)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)

!0 = !{!"{[0]:Pointer? -> {[0]:Integer(8)?}}"}
