; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An i64 load of memory that is known to hold a double carries a double.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y) {
  %bits = load i64, ptr %x
  store i64 %bits, ptr %y
  %v = load double, ptr %x
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
