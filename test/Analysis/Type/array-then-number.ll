; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An unbounded progression is extrapolated: a number seen for certain behind the
; part that is used is no conflict.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[*8]:Float@double, [24]:Integer(8)}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %np: {[0]:Pointer -> {[0]:Integer(8), [*8]:Float@double~}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8), [0]:Float@double~}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %s, i64 %i) {
  %p = getelementptr inbounds double, ptr %s, i64 %i
  %v = load double, ptr %p
  %np = getelementptr i8, ptr %s, i64 24
  %n = load i64, ptr %np
  %w = sitofp i64 %n to double
  %bits = load i64, ptr %s
  store i64 %bits, ptr %p
  %r = fmul double %v, %w
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
