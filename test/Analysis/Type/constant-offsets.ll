; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fields at constant offsets, of float, pointer and number.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double, [8]:Float@float, [16]:Pointer -> {[*4]:Float@float}, [24]:Integer(4)?}}{{$}}
; CHECK-DAG:   %bp: {[0]:Pointer -> {[0]:Float@float, [8]:Pointer -> {[*4]:Float@float}, [16]:Integer(4)?}}{{$}}
; CHECK-DAG:   %qp: {[0]:Pointer -> {[0]:Pointer -> {[*4]:Float@float}, [8]:Integer(4)?}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*4]:Float@float}}{{$}}
; CHECK-DAG:   %np: {[0]:Pointer -> {[0]:Integer(4)?}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)?}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %ep: {[0]:Pointer -> {[*4]:Float@float}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %s) {
  %a = load double, ptr %s
  %bp = getelementptr i8, ptr %s, i64 8
  %b = load float, ptr %bp
  %qp = getelementptr i8, ptr %s, i64 16
  %q = load ptr, ptr %qp
  %np = getelementptr i8, ptr %s, i64 24
  %n = load i32, ptr %np
  %i = sext i32 %n to i64
  %ep = getelementptr float, ptr %q, i64 %i
  %e = load float, ptr %ep
  %be = fmul float %b, %e
  %w = fpext float %be to double
  %r = fmul double %a, %w
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
