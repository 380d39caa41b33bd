; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that nobody knows, known only at run time, or that take anything say
; nothing.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer}{{$}}
; CHECK-DAG:   %c: {[0]:Pointer}{{$}}
; CHECK-DAG:   %fn: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %a, ptr %b, ptr %c, ptr %fn) {
  call void @mystery(ptr %a)
  call void %fn(ptr %b)
  call i32 (ptr, ...) @variadic(ptr %c, ptr %a)
  %bits = load i64, ptr %a
  store i64 %bits, ptr %b
  ret double 0.0
}
declare void @mystery(ptr)
declare i32 @variadic(ptr, ...)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
