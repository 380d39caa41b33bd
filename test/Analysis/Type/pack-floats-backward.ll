; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The same, told by what the memory is known to hold.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer -> {[*4x2]:Float@float}}{{$}}
; CHECK-DAG:   %ai: {[0]:Float@float}{{$}}
; CHECK-DAG:   %bi: {[0]:Float@float}{{$}}
; CHECK-DAG:   %az: {[0]:Float@float, [4]:Anything(4)}{{$}}
; CHECK-DAG:   %bz: {[0]:Float@float, [4]:Anything(4)}{{$}}
; CHECK-DAG:   %bs: {[0]:Anything(4), [4]:Float@float}{{$}}
; CHECK-DAG:   %both: {[*4x2]:Float@float}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, ptr %out) {
  %ai = load i32, ptr %a
  %bi = load i32, ptr %b
  %az = zext i32 %ai to i64
  %bz = zext i32 %bi to i64
  %bs = shl nuw i64 %bz, 32
  %both = or disjoint i64 %bs, %az
  store i64 %both, ptr %out
  %v = load <2 x float>, ptr %out
  %e = extractelement <2 x float> %v, i64 0
  %w = fpext float %e to double
  ret double %w
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
