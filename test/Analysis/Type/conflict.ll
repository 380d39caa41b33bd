; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One place read as a double and as a pointer: both are told, and the bytes are
; unknown to everybody who asks.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}, [0]:Float@double}}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}, [0]:Float@double}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Pointer -> {[0]:Float@double}, [0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}
; CHECK-DAG:   conflict in %x at [0][0]: Pointer by '%p = load ptr, ptr %x, align 8', Float@double by '%v = load double, ptr %x, align 8'{{$}}

define double @f(ptr %x, ptr %out) {
  %v = load double, ptr %x
  %p = load ptr, ptr %x
  %w = load double, ptr %p
  %bits = load i64, ptr %x
  store i64 %bits, ptr %out
  %r = fadd double %v, %w
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
