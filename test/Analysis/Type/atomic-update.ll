; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An atomic addition of floats tells its memory; an exchange of bits tells nothing, nor does an addition
; of integers, which may be the bits of a float.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Pointer}{{$}}
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %s: {[0]:Pointer}{{$}}
; CHECK-DAG:   %counter: {[0]:Pointer}{{$}}
; CHECK-DAG:   %x: {}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   %old: {}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %s, ptr %bits, double %x) {
  %old = atomicrmw fadd ptr %s, double %x monotonic
  ret double %old
}
define double @g(ptr %s, ptr %counter, i64 %x) {
  %bits = atomicrmw xchg ptr %s, i64 %x monotonic
  %old = atomicrmw add ptr %counter, i64 1 monotonic
  ret double 0.0
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, double %a2, ptr %a3, ptr %d3, ptr %a4, ptr %d4, i64 %a5) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, double %a2)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a3, ptr %d3, ptr %a4, ptr %d4, i64 %a5)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
