; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Masks made by comparisons keep or clear whole elements.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[*8x2]:Float@double}{{$}}
; CHECK-DAG:   %y: {[*8x2]:Float@double}{{$}}
; CHECK-DAG:   %m: {[0]:Integer(16)?}{{$}}
; CHECK-DAG:   %xi: {[*8x2]:Float@double}{{$}}
; CHECK-DAG:   %kept: {[*8x2]:Float@double}{{$}}
; CHECK-DAG:   %e: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(<2 x double> %x, <2 x double> %y) {
  %c = fcmp olt <2 x double> %x, %y
  %m = sext <2 x i1> %c to <2 x i64>
  %xi = bitcast <2 x double> %x to <2 x i64>
  %kept = and <2 x i64> %m, %xi
  %e = extractelement <2 x i64> %kept, i64 0
  %r = bitcast i64 %e to double
  ret double %r
}

define void @differentiate(<2 x double> %a0, <2 x double> %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr @enzyme_const, <2 x double> %a0, ptr @enzyme_const, <2 x double> %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
