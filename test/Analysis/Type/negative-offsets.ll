; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A field before the address, as container_of makes it.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %member: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double, [8]:Pointer -> {[0]:Float@double}, [16]:Float@float}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}, [8]:Float@float}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %member) {
  %s = getelementptr inbounds i8, ptr %member, i64 -16
  %v = load double, ptr %s
  %p = getelementptr inbounds i8, ptr %s, i64 8
  %q = load ptr, ptr %p
  %w = load double, ptr %q
  %u = load float, ptr %member
  %e = fpext float %u to double
  %a = fadd double %v, %w
  %r = fadd double %a, %e
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
