; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A merge knows what all its inputs know: %b is never seen as double.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer}{{$}}
; CHECK-DAG:   %c: {[0]:Integer}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, ptr %out, i1 %c) {
  %v = load double, ptr %a
  %p = select i1 %c, ptr %a, ptr %b
  %bits = load i64, ptr %p
  store i64 %bits, ptr %out
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i1 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i1 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
