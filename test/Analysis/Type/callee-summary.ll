; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee with a body tells its caller about arguments and result.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[8]:Float@double, [16]:Float@double}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %y16: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %x, ptr %y) {
  %p = call ptr @pick(ptr %x, ptr %y)
  %bits = load i64, ptr %p
  %y16 = getelementptr i8, ptr %y, i64 16
  store i64 %bits, ptr %y16
  ret double 0.0
}
define internal ptr @pick(ptr %a, ptr %b) noinline {
  %v = load double, ptr %a
  %c = fcmp olt double %v, 0.0
  %b8 = getelementptr i8, ptr %b, i64 8
  %w = load double, ptr %b8
  %c2 = fcmp olt double %w, %v
  %both = and i1 %c, %c2
  %r = select i1 %both, ptr %a, ptr %b8
  ret ptr %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
