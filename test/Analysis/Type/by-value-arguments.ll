; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The declared type of arguments passed in memory.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double, [8]:Pointer, [16]:Float@float, [16*4x2]:Float@float?, [20]:Float@float}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double, [8]:Pointer, [16]:Float@float, [20]:Float@float}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

%S = type { double, ptr, [2 x float] }
define double @f(ptr %x, ptr %y) {
  call void @g(ptr sret(%S) %x, ptr byval(%S) %y)
  %bits = load i64, ptr %y
  store i64 %bits, ptr %x
  ret double 0.0
}
define internal void @g(ptr sret(%S) %result, ptr byval(%S) %s) noinline {
  call void @llvm.memcpy.p0.p0.i64(ptr %result, ptr %s, i64 24, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
