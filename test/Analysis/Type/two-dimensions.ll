; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Rows of 8 doubles: dense in both dimensions is one progression; a row that is
; longer than what is used of it is not.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %dense: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %padded: {[0]:Pointer -> {[*24]:Float@double, [8*24]:Float@double}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %j: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*24]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %dense, ptr %padded, i64 %i, i64 %j) {
  %p = getelementptr inbounds [8 x double], ptr %dense, i64 %i, i64 %j
  %a = load double, ptr %p
  %q = getelementptr inbounds { [2 x double], i64 }, ptr %padded, i64 %i, i32 0, i64 %j
  %b = load double, ptr %q
  %r = fmul double %a, %b
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2, i64 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2, i64 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
