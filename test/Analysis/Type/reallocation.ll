; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block that was resized holds what it held, and held what it is used for. Two blocks
; that have nothing to do with each other do not tell each other.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %old: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %new: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %old: {[0]:Pointer}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %new: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %old, i64 %n) {
  %new = call ptr @realloc(ptr %old, i64 %n)
  %v = load double, ptr %new
  ret double %v
}
define double @g(ptr %old, i64 %n) {
  %new = call ptr @malloc(i64 %n)
  %v = load double, ptr %new
  %bits = load i64, ptr %old
  store i64 %bits, ptr %old
  ret double %v
}
declare ptr @realloc(ptr, i64)
declare ptr @malloc(i64)

define void @differentiate(ptr %a0, ptr %d0, i64 %a1, ptr %a2, ptr %d2, i64 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2, i64 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
