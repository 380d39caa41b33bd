; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Zeros fit every type, but say nothing of what the memory is for: a load from
; %b may meet what somebody else stored.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[8]:Float@double}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   %o: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, ptr %out) {
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr %b, i8 0, i64 24, i1 false)
  store i64 0, ptr %out
  %p = getelementptr i8, ptr %a, i64 8
  %v = load double, ptr %p
  %q = getelementptr i8, ptr %b, i64 8
  %bits = load i64, ptr %q
  %o = getelementptr i8, ptr %out, i64 8
  store i64 %bits, ptr %o
  ret double %v
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
