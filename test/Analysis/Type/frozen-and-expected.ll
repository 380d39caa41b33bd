; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Values that pass unchanged through freeze and llvm.expect.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %frozen: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y) {
  %bits = load i64, ptr %x
  %frozen = freeze i64 %bits
  %same = call i64 @llvm.expect.i64(i64 %frozen, i64 0)
  store i64 %same, ptr %y
  %v = load double, ptr %y
  ret double %v
}
declare i64 @llvm.expect.i64(i64, i64)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
