; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A declared type is a hint; what is seen is believed first.
; (A word that is a number says nothing of the words beside it.)
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %in: {[0]:Pointer -> {[*8x4]:Float@double?}}{{$}}
; CHECK-DAG:   %in2: {[0]:Pointer -> {[0]:Integer(8), [*8x2]:Float@double?}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %declared: {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
; CHECK-DAG:   %reused: {[0]:Pointer -> {[0]:Integer(8), [*8]:Float@double?}}{{$}}
; CHECK-DAG:   %off: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double?}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[0]:Integer(8), [*8]:Float@double?}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8), [0]:Float@double?}{{$}}
; CHECK-DAG:   %n2: {[0]:Integer(8), [0]:Float@double?}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %in, ptr %in2, i64 %i) {
  %declared = alloca [4 x double]
  %reused = alloca [2 x double]
  call void @llvm.memcpy.p0.p0.i64(ptr %declared, ptr %in, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %reused, ptr %in2, i64 16, i1 false)
  %off = shl i64 %i, 3
  %p = getelementptr i8, ptr %declared, i64 %off
  %bits = load i64, ptr %p
  store i64 %bits, ptr %in
  %q = getelementptr i8, ptr %reused, i64 %off
  %n = load i64, ptr %q
  %v = sitofp i64 %n to double
  %n2 = load i64, ptr %in2
  %w = sitofp i64 %n2 to double
  %r = fadd double %v, %w
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
