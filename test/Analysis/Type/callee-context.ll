; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee that moves bytes it cannot tell is told by its caller.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double~}}{{$}}
; CHECK-DAG:   %z: {[0]:Pointer}{{$}}
; CHECK-DAG:   %u: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}
; CHECK-DAG:   context of @move: {[0]:Pointer~ -> {[0]:Float@double~}} {[0]:Pointer~ -> {[0]:Float@double~}}{{$}}

define double @f(ptr %x, ptr %y, ptr %z, ptr %u) {
  %v = load double, ptr %x
  call void @move(ptr %y, ptr %x)
  call void @move(ptr %u, ptr %z)
  ret double %v
}
define internal void @move(ptr %to, ptr %from) noinline {
  %bits = load i64, ptr %from
  store i64 %bits, ptr %to
  ret void
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
