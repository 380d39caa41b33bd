; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bits that are exchanged for those of a double are one; those exchanged for a counted number
; are a number.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %old: {[0]:Float@double}{{$}}
; CHECK-DAG:   %new: {[0]:Float@double}{{$}}
; CHECK-DAG:   %pair: {[0]:Float@double}{{$}}
; CHECK-DAG:   %seen: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Integer(8)~}}{{$}}
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %old: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %new: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %pair: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %seen: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %s, double %x) {
  %old = load i64, ptr %s
  %was = bitcast i64 %old to double
  %sum = fadd double %was, %x
  %new = bitcast double %sum to i64
  %pair = cmpxchg ptr %s, i64 %old, i64 %new monotonic monotonic
  %seen = extractvalue { i64, i1 } %pair, 0
  ret double %sum
}
define double @g(ptr %s, double %x) {
  %old = load i64, ptr %s
  %new = add i64 %old, 2
  %pair = cmpxchg ptr %s, i64 %old, i64 %new monotonic monotonic
  %seen = extractvalue { i64, i1 } %pair, 0
  ret double %x
}

define void @differentiate(ptr %a0, ptr %d0, double %a1, ptr %a2, ptr %d2, double %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, double %a1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2, double %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
