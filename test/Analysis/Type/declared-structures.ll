; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Integers of a structure of the source language are numbers, rows of bytes may
; be anything, and so may the member that stands for a union.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(4)?, [20]:Anything(4), [32]:Integer(8)?}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %e: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

%struct.S = type { double, i32, [8 x i8], %union.U, { i64 } }
%union.U = type { double }
define double @f(ptr %x, i64 %i) {
  %s = alloca %struct.S
  %p = getelementptr i8, ptr %s, i64 %i
  %e = getelementptr inbounds { double, i64, [4 x i8] }, ptr %x, i64 0, i32 0
  %v = load double, ptr %e
  store double %v, ptr %p
  %q = load double, ptr %s
  ret double %q
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
