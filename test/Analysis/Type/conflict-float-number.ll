; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Float bits used as an index.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %v: {[0]:Float@double}{{$}}
; CHECK-DAG:   %bits: {[0]:Integer(8), [0]:Float@double}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}
; CHECK-DAG:   conflict in %bits at [0]: Integer by '%p = getelementptr inbounds double, ptr %x, i64 %bits', Float@double by %v{{$}}

define double @f(ptr %x, double %v) {
  %bits = bitcast double %v to i64
  %p = getelementptr inbounds double, ptr %x, i64 %bits
  %w = load double, ptr %p
  ret double %w
}

define void @differentiate(ptr %a0, ptr %d0, double %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, double %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
