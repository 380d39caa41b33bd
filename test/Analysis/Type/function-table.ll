; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A table of functions: its entries are pointers, and the call through it says nothing.
; A table of numbers has none.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer -> {[0]:Pointer}}{{$}}
; CHECK-DAG:   %callee: {[0]:Pointer}{{$}}
; CHECK-DAG:   %factor: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

@table = internal constant { ptr, ptr, i64, double } { ptr @square, ptr @cube, i64 7, double 2.5 }
@numbers = internal constant [4 x i64] [i64 1, i64 2, i64 3, i64 4]

define double @f(double %x, i64 %n) {
  %at = getelementptr inbounds [2 x ptr], ptr @table, i64 0, i64 %n
  %callee = load ptr, ptr %at
  %y = call double %callee(double %x)
  %factor = getelementptr i8, ptr @table, i64 24
  %bits = load i64, ptr %factor
  ret double %y
}
define double @g(double %x, i64 %n) {
  %at = getelementptr inbounds [4 x i64], ptr @numbers, i64 0, i64 %n
  %bits = load i64, ptr %at
  ret double %x
}
define internal double @square(double %v) {
  %r = fmul double %v, %v
  ret double %r
}
define internal double @cube(double %v) {
  %s = fmul double %v, %v
  %r = fmul double %s, %v
  ret double %r
}

define void @differentiate(double %a0, i64 %a1, double %a2, i64 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, i64 %a1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, double %a2, i64 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
