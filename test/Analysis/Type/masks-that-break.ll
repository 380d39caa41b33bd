; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The exponent of a double cut out, or its last bits cleared: no double any
; more, as far as the mask can tell.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer}{{$}}
; CHECK-DAG:   %xi: {[0]:Float@double}{{$}}
; CHECK-DAG:   %masked: {[0]:Anything(6)}{{$}}
; CHECK-DAG:   %exp: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %split: {[0]:Anything(3)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(double %x, ptr %out) {
  %xi = bitcast double %x to i64
  %masked = and i64 %xi, 9218868437227405312
  %exp = lshr i64 %masked, 52
  %split = and i64 %xi, -134217728
  store i64 %split, ptr %out
  %e = sitofp i64 %exp to double
  ret double %e
}

define void @differentiate(double %a0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
