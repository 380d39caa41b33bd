; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A variadic function: its fixed arguments are told by its body, the others say nothing.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %label: {[0]:Pointer}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %label: {[0]:Pointer}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %x, ptr %label) {
  %v = load double, ptr %x
  %n = call i32 (ptr, ...) @note(ptr %x, ptr %label, double %v)
  ret double %v
}
define double @g(ptr %x, ptr %label) {
  %n = call i32 (ptr, ...) @note(ptr %x, i64 1, ptr %label)
  ret double 0.0
}
define internal i32 @note(ptr %p, ...) noinline {
  %v = load double, ptr %p
  %c = fcmp olt double %v, 0.0
  %r = zext i1 %c to i32
  ret i32 %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
