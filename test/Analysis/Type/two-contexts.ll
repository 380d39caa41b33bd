; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One callee, told different things by two calls: each call has its own context, and what comes
; back to one is not mixed with the other.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double~}}{{$}}
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   %t: {[0]:Pointer -> {[0]:Float@float~}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}
; CHECK-DAG:   context of @move: {[0]:Pointer~ -> {[0]:Float@double~}} {[0]:Pointer~ -> {[0]:Float@double~}}{{$}}
; CHECK-DAG:   context of @move: {[0]:Pointer~ -> {[0]:Float@float~}} {[0]:Pointer~ -> {[0]:Float@float~}}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y, ptr %s, ptr %t) {
  %v = load double, ptr %x
  call void @move(ptr %y, ptr %x)
  %n = load float, ptr %s
  call void @move(ptr %t, ptr %s)
  ret double %v
}
define double @g(ptr %x, ptr %y) {
  %v = load double, ptr %x
  call void @clear(ptr %y, ptr %x)
  ret double %v
}
define internal void @move(ptr %to, ptr %from) noinline {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false)
  ret void
}
define internal void @clear(ptr %to, ptr %from) noinline {
  store double 0.0, ptr %to
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, ptr %a4, ptr %d4, ptr %a5, ptr %d5) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a4, ptr %d4, ptr %a5, ptr %d5)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
