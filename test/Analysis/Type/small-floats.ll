; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; half and bfloat in integers of 16 and 32 bits.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@half}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@bfloat, [2]:Float@half}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@half}{{$}}
; CHECK-DAG:   %two: {[0]:Float@bfloat, [2]:Float@half}{{$}}
; CHECK-DAG:   %lo: {[0]:Float@bfloat}{{$}}
; CHECK-DAG:   %y2: {[0]:Pointer -> {[0]:Float@half}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y) {
  %h = load half, ptr %x
  %bits = load i16, ptr %x
  %two = load i32, ptr %y
  %lo = trunc i32 %two to i16
  %b = bitcast i16 %lo to bfloat
  %y2 = getelementptr i8, ptr %y, i64 2
  store i16 %bits, ptr %y2
  %hd = fpext half %h to double
  %bd = fpext bfloat %b to double
  %r = fmul double %hd, %bd
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
