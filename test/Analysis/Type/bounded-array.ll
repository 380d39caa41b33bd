; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An array inside a struct ends: what follows is not taken for its element.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[*8x3]:Float@double, [24]:Integer(8)}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %np: {[0]:Pointer -> {[0]:Integer(8)}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

%S = type { [3 x double], i64 }
define double @f(ptr %s, i64 %i) {
  %p = getelementptr inbounds %S, ptr %s, i64 0, i32 0, i64 %i
  %v = load double, ptr %p
  %np = getelementptr inbounds %S, ptr %s, i64 0, i32 1
  %n = load i64, ptr %np
  %w = sitofp i64 %n to double
  %r = fmul double %v, %w
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
