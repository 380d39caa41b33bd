; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A variable element is what all elements are.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8x2]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double, [8*8x2]:Float@double}}{{$}}
; CHECK-DAG:   %k: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   %v: {[*8x2]:Float@double}{{$}}
; CHECK-DAG:   %e: {[0]:Float@double}{{$}}
; CHECK-DAG:   %changed: {[*8x2]:Float@double}{{$}}
; CHECK-DAG:   %y8: {[0]:Pointer -> {[*8x2]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y, i32 %k) {
  %v = load <2 x i64>, ptr %x
  %d = load <2 x double>, ptr %x
  %e = extractelement <2 x i64> %v, i32 %k
  store i64 %e, ptr %y
  %changed = insertelement <2 x i64> %v, i64 %e, i32 %k
  %y8 = getelementptr i8, ptr %y, i64 8
  store <2 x i64> %changed, ptr %y8
  %r = extractelement <2 x double> %d, i64 0
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i32 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i32 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
