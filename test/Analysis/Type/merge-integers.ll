; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bits of a double or zero are a double; bits of a double or of what nobody
; knows are not known.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %u: {[0]:Pointer}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %c: {[0]:Integer}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %zero: {[0]:Float@double}{{$}}
; CHECK-DAG:   %other: {}{{$}}
; CHECK-DAG:   %unknown: {}{{$}}
; CHECK-DAG:   %o2: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(double %x, ptr %u, ptr %out, i1 %c) {
  %bits = bitcast double %x to i64
  %zero = select i1 %c, i64 %bits, i64 0
  store i64 %zero, ptr %out
  %other = load i64, ptr %u
  %unknown = select i1 %c, i64 %bits, i64 %other
  %o2 = getelementptr i8, ptr %out, i64 8
  store i64 %unknown, ptr %o2
  ret double %x
}

define void @differentiate(double %a0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i1 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i1 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
