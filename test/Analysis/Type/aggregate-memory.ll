; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Structs loaded and stored whole.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Integer(8), [16]:Float@double, [24]:Pointer -> {[*8]:Float@double}}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Integer(8), [16]:Float@double, [24]:Pointer -> {[*8]:Float@double}}}{{$}}
; CHECK-DAG:   %i: {}{{$}}
; CHECK-DAG:   %s: {[0]:Integer(8), [16]:Float@double, [24]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %d: {[0]:Float@double}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %a, ptr %b, i64 %i) {
  %s = load { i64, [2 x i64], ptr }, ptr %a
  store { i64, [2 x i64], ptr } %s, ptr %b
  %n = extractvalue { i64, [2 x i64], ptr } %s, 0
  %d = extractvalue { i64, [2 x i64], ptr } %s, 1, 1
  %v = bitcast i64 %d to double
  %p = extractvalue { i64, [2 x i64], ptr } %s, 2
  %q = getelementptr inbounds double, ptr %p, i64 %n
  %w = load double, ptr %q
  %r = fadd double %v, %w
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
