; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Of a copy of n * 16 bytes the first 16 are moved if anything is, and every
; progression; a field at 24 perhaps not.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double, [24]:Float@double}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %p8: {[0]:Pointer -> {[0]:Float@double, [16]:Float@double}}{{$}}
; CHECK-DAG:   %p24: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bytes: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, i64 %n) {
  %v = load double, ptr %a
  %p8 = getelementptr i8, ptr %a, i64 8
  %w = load double, ptr %p8
  %p24 = getelementptr i8, ptr %a, i64 24
  %u = load double, ptr %p24
  %bytes = shl i64 %n, 4
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 %bytes, i1 false)
  %s = fadd double %v, %w
  %r = fadd double %s, %u
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
