; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; "adze_type" of parameters and results, of functions with and without a body;
; !adze.type of calls and of global variables.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[0]:Pointer? -> {[0]:Float@float?}}}{{$}}
; CHECK-DAG:   %r: {[0]:Pointer -> {[0]:Float@float?}}{{$}}
; CHECK-DAG:   %outside: {[0]:Pointer -> {[0]:Pointer? -> {[*4]:Float@float?}}}{{$}}
; CHECK-DAG:   %here: {[0]:Pointer -> {[0]:Float@x86_fp80?}}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
; CHECK-DAG:   return: {[0]:Pointer -> {[0]:Pointer? -> {[0]:Float@float?}}}{{$}}

@table = global [64 x i8] zeroinitializer, !adze.type !1

define "adze_type"="{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@float?}}}" ptr @f(ptr "adze_type"="{[0]:Pointer? -> {[*8]:Float@double?}}" %p, ptr %q, ptr %r) {
  %outside = call ptr @outside(ptr %r)
  %here = call ptr @other(ptr %q), !adze.type !0
  %at = load ptr, ptr @table
  ret ptr %q
}
declare "adze_type"="{[0]:Pointer? -> {[0]:Pointer? -> {[*4]:Float@float?}}}" ptr @outside(ptr "adze_type"="{[0]:Pointer? -> {[0]:Float@float?}}")
declare ptr @other(ptr)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)

!0 = !{!"{[0]:Pointer? -> {[0]:Float@x86_fp80?}}", !""}
!1 = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[*8]:Float@double?}}}"}
