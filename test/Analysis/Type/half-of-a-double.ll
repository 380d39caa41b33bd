; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Half of a double is not a float and not a number either. (The halves part: else
; they would be a block copy.)
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer}{{$}}
; CHECK-DAG:   %lo: {}{{$}}
; CHECK-DAG:   %hip: {[0]:Pointer}{{$}}
; CHECK-DAG:   %hi: {}{{$}}
; CHECK-DAG:   %yhi: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %lo = load i32, ptr %x
  store i32 %lo, ptr %y
  %hip = getelementptr i8, ptr %x, i64 4
  %hi = load i32, ptr %hip
  %yhi = getelementptr i8, ptr %y, i64 8
  store i32 %hi, ptr %yhi
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
