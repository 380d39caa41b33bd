; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A copy tells the source from the destination and the other way round, in the
; bytes that it moves.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[*8]:Float@double, [16]:Float@float}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[*8x3]:Float@double~, [16]:Float@float, [24]:Integer(4)}}{{$}}
; CHECK-DAG:   %c: {[0]:Pointer -> {[*8x2]:Float@double~}}{{$}}
; CHECK-DAG:   %i: {}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[0]:Float@float, [*8]:Float@double~}}{{$}}
; CHECK-DAG:   %z: {[0]:Pointer -> {[0]:Integer(4)}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, ptr %c, i64 %i) {
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 24, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %c, ptr %b, i64 16, i1 false)
  %p = getelementptr i8, ptr %c, i64 8
  %v = load double, ptr %p
  %q = getelementptr i8, ptr %a, i64 16
  %w = load float, ptr %q
  %z = getelementptr i8, ptr %b, i64 24
  %n = load i32, ptr %z
  %x = getelementptr inbounds double, ptr %a, i32 %n
  %u = load double, ptr %x
  %e = fpext float %w to double
  %s = fadd double %v, %e
  %r = fadd double %s, %u
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i64 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i64 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
