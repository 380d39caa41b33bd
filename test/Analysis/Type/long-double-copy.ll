; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A long double is ten bytes; of a copy of sixteen the rest is nobody's.
; A copy of eight bytes holds half of it, which is nothing.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %to: {[0]:Pointer -> {[0]:Float@x86_fp80}}{{$}}
; CHECK-DAG:   %from: {[0]:Pointer -> {[0]:Float@x86_fp80}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %to: {[0]:Pointer}{{$}}
; CHECK-DAG:   %from: {[0]:Pointer -> {[0]:Float@x86_fp80}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %to, ptr %from) {
  %v = load x86_fp80, ptr %from, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %r = fptrunc x86_fp80 %v to double
  ret double %r
}
define double @g(ptr %to, ptr %from) {
  %v = load x86_fp80, ptr %from, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false)
  %r = fptrunc x86_fp80 %v to double
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
