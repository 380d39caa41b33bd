; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fields of an array of structs repeat with the size of the struct; a copy of
; the array moves all of them.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[*24]:Float@double, [8*24]:Integer(8), [16*24]:Pointer -> {[*4]:Float@float}}}{{$}}
; CHECK-DAG:   %copy: {[0]:Pointer -> {[*24]:Float@double, [8*24]:Integer(8), [16*24]:Pointer -> {[*4]:Float@float}}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %xp: {[0]:Pointer -> {[*24]:Float@double, [8*24]:Integer(8), [16*24]:Pointer -> {[*4]:Float@float}}}{{$}}
; CHECK-DAG:   %np: {[0]:Pointer -> {[*24]:Integer(8), [8*24]:Pointer -> {[*4]:Float@float}, [16*24]:Float@double~}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %qp: {[0]:Pointer -> {[*24]:Pointer -> {[*4]:Float@float}, [8*24]:Float@double~, [16*24]:Integer(8)~}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*4]:Float@float}}{{$}}
; CHECK-DAG:   %ep: {[0]:Pointer -> {[*4]:Float@float}}{{$}}
; CHECK-DAG:   %bytes: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

%S = type { double, i64, ptr }
define double @f(ptr %s, ptr %copy, i64 %i) {
  %xp = getelementptr inbounds %S, ptr %s, i64 %i, i32 0
  %x = load double, ptr %xp
  %np = getelementptr inbounds %S, ptr %s, i64 %i, i32 1
  %n = load i64, ptr %np
  %qp = getelementptr inbounds %S, ptr %s, i64 %i, i32 2
  %q = load ptr, ptr %qp
  %ep = getelementptr inbounds float, ptr %q, i64 %n
  %e = load float, ptr %ep
  %w = fpext float %e to double
  %r = fmul double %x, %w
  %bytes = mul i64 %i, 24
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %s, i64 %bytes, i1 false)
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
