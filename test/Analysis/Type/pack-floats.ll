; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two floats packed into an i64 by zext, shl and or.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Float@float}{{$}}
; CHECK-DAG:   %b: {[0]:Float@float}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer -> {[0]:Float@float, [4]:Float@float}}{{$}}
; CHECK-DAG:   %ai: {[0]:Float@float}{{$}}
; CHECK-DAG:   %bi: {[0]:Float@float}{{$}}
; CHECK-DAG:   %az: {[0]:Float@float, [4]:Anything(4)}{{$}}
; CHECK-DAG:   %bz: {[0]:Float@float, [4]:Anything(4)}{{$}}
; CHECK-DAG:   %bs: {[0]:Anything(4), [4]:Float@float}{{$}}
; CHECK-DAG:   %both: {[0]:Float@float, [4]:Float@float}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(float %a, float %b, ptr %out) {
  %ai = bitcast float %a to i32
  %bi = bitcast float %b to i32
  %az = zext i32 %ai to i64
  %bz = zext i32 %bi to i64
  %bs = shl nuw i64 %bz, 32
  %both = or disjoint i64 %bs, %az
  store i64 %both, ptr %out
  ret double 0.0
}

define void @differentiate(float %a0, float %a1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, float %a0, float %a1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
