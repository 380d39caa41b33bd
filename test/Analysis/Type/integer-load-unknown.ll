; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing tells what is copied here: it stays unknown.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   %lo: {}{{$}}
; CHECK-DAG:   %p4: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %x, ptr %y) {
  %bits = load i64, ptr %x
  store i64 %bits, ptr %y
  %lo = load i32, ptr %y
  %p4 = getelementptr i8, ptr %x, i64 12
  store i32 %lo, ptr %p4
  ret double 0.0
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
