; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic moves and additions. What is added to an integer need not make a number of it.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Pointer}{{$}}
; CHECK-DAG:   %c: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %count: {}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %pair: {[0]:Float@double}{{$}}
; CHECK-DAG:   %was: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %n, ptr %c) {
  %old = atomicrmw fadd ptr %x, double 1.0 seq_cst
  %count = atomicrmw add ptr %n, i32 1 seq_cst
  %bits = load i64, ptr %x
  %pair = cmpxchg ptr %c, i64 %bits, i64 0 seq_cst seq_cst
  %was = extractvalue { i64, i1 } %pair, 0
  %v = bitcast i64 %was to double
  %r = fadd double %old, %v
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
