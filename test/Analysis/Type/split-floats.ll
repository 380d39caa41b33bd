; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An i64 of two floats taken apart by trunc and lshr.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@float, [4]:Float@float}}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   %both: {[0]:Float@float, [4]:Float@float}{{$}}
; CHECK-DAG:   %lo: {[0]:Float@float}{{$}}
; CHECK-DAG:   %shifted: {[0]:Float@float, [4]:Anything(4)}{{$}}
; CHECK-DAG:   %hi: {[0]:Float@float}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %out) {
  %both = load i64, ptr %x
  %lo = trunc i64 %both to i32
  %shifted = lshr i64 %both, 32
  %hi = trunc i64 %shifted to i32
  %a = bitcast i32 %lo to float
  store i32 %hi, ptr %out
  %v = load float, ptr %out
  %s = fadd float %a, %v
  %w = fpext float %s to double
  ret double %w
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
