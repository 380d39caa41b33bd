; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The element type of an address calculation is a hint about its base.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double?, [8]:Integer(8), [16]:Pointer?}}{{$}}
; CHECK-DAG:   %t: {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
; CHECK-DAG:   %i: {}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Integer(8), [8]:Pointer?}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double?}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

%S = type { double, i64, ptr }
define double @f(ptr %s, ptr %t, i64 %i) {
  %p = getelementptr inbounds %S, ptr %s, i64 0, i32 1
  %n = load i64, ptr %p
  %q = getelementptr inbounds double, ptr %t, i64 %n
  %bits = load i64, ptr %q
  store i64 %bits, ptr %s
  ret double 0.0
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
