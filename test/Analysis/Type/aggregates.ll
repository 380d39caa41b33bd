; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Parts of structs and arrays by value.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Float@double, [8]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %xi: {[0]:Float@double}{{$}}
; CHECK-DAG:   %one: {[0]:Float@double}{{$}}
; CHECK-DAG:   %two: {[0]:Float@double, [8]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double, [8]:Float@double}{{$}}

define { double, i64 } @f({ i64, ptr } %s, double %x) {
  %bits = extractvalue { i64, ptr } %s, 0
  %p = extractvalue { i64, ptr } %s, 1
  store i64 %bits, ptr %p
  %v = load double, ptr %p
  %xi = bitcast double %x to i64
  %one = insertvalue { double, i64 } poison, double %v, 0
  %two = insertvalue { double, i64 } %one, i64 %xi, 1
  ret { double, i64 } %two
}

define void @differentiate({ i64, ptr } %a0, double %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr @enzyme_const, { i64, ptr } %a0, double %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
