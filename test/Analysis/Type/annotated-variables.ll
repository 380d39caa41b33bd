; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What !adze.type says of a variable stays with the values that the variable
; held, when it is promoted; what is seen is believed first.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Integer(8), [*8]:Float@double?}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[0]:Integer(8), [*8]:Float@double?}}{{$}}
; CHECK-DAG:   %made: {[0]:Pointer -> {[0]:Float@float?, [8]:Pointer? -> {[0]:Float@double?}}}{{$}}
; CHECK-DAG:   %kept: {[0]:Pointer -> {[*4x8]:Float@float?}}{{$}}

define void @f(ptr %p, ptr %q, i64 %n) {
  %p.addr = alloca ptr, !adze.type !0
  %q.addr = alloca ptr, !adze.type !0
  %m.addr = alloca ptr, !adze.type !1
  %kept = alloca [32 x i8], !adze.type !2
  store ptr %p, ptr %p.addr
  store ptr %q, ptr %q.addr
  %p1 = load ptr, ptr %p.addr
  %q1 = load ptr, ptr %q.addr
  call void @llvm.memcpy.p0.p0.i64(ptr %p1, ptr %q1, i64 8, i1 false)
  %number = load i64, ptr %q1
  %v = sitofp i64 %number to double
  call void @number(double %v)
  %made = call ptr @malloc(i64 16)
  store ptr %made, ptr %m.addr
  call void @use(ptr %kept)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @malloc(i64)
declare void @use(ptr)
declare void @number(double)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)

!0 = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[*8]:Float@double?}}}"}
!1 = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@float?, [8]:Pointer? -> {[0]:Float@double?}}}}"}
!2 = !{!"{[0]:Pointer? -> {[*4x8]:Float@float?}}"}
