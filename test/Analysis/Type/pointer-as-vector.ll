; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two words moved as a vector keep what each of them is; a vector of computed numbers does
; not become one of pointers.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %from: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}, [8]:Float@double}}{{$}}
; CHECK-DAG:   %to: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}, [8]:Float@double}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %both: {[0]:Pointer -> {[0]:Float@double}, [8]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %from: {[0]:Pointer -> {[0]:Integer(16)~}}{{$}}
; CHECK-DAG:   %to: {[0]:Pointer -> {[0]:Integer(16)~}}{{$}}
; CHECK-DAG:   %both: {[0]:Integer(16)~}{{$}}
; CHECK-DAG:   %moved: {[0]:Integer(16)~}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %from, ptr %to) {
  %p = load ptr, ptr %from
  %v = load double, ptr %p
  %at = getelementptr i8, ptr %from, i64 8
  %d = load double, ptr %at
  %both = load <2 x i64>, ptr %from
  store <2 x i64> %both, ptr %to
  ret double %v
}
define double @g(ptr %from, ptr %to) {
  %both = load <2 x i64>, ptr %from
  %moved = mul <2 x i64> %both, <i64 3, i64 3>
  store <2 x i64> %moved, ptr %to
  ret double 0.0
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
