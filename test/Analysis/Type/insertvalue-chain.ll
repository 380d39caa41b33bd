; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A struct built member by member and stored whole: memory has its members.
; A member that nobody inserted is not known.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer}{{$}}
; CHECK-DAG:   %to: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(4)~, [16]:Pointer}}{{$}}
; CHECK-DAG:   %m: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   %a: {[0]:Float@double, [16]:Pointer}{{$}}
; CHECK-DAG:   %b: {[0]:Float@double, [8]:Integer(4)~, [16]:Pointer}{{$}}
; CHECK-DAG:   %c: {[0]:Float@double, [8]:Integer(4)~, [16]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %n: {}{{$}}
; CHECK-DAG:   %to: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %a: {[0]:Float@double}{{$}}
; CHECK-DAG:   %b: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(double %x, i32 %n, ptr %q, ptr %to) {
  %m = mul i32 %n, 3
  %a = insertvalue { double, i32, ptr } poison, double %x, 0
  %b = insertvalue { double, i32, ptr } %a, i32 %m, 1
  %c = insertvalue { double, i32, ptr } %b, ptr %q, 2
  store { double, i32, ptr } %c, ptr %to
  ret double %x
}
define double @g(double %x, i64 %n, ptr %to) {
  %a = insertvalue { double, i64, i64 } poison, double %x, 0
  %b = insertvalue { double, i64, i64 } %a, i64 %n, 2
  store { double, i64, i64 } %b, ptr %to
  ret double %x
}

define void @differentiate(double %a0, i32 %a1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, double %a4, i64 %a5, ptr %a6, ptr %d6) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0, i32 %a1, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, double %a4, i64 %a5, ptr %a6, ptr %d6)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
