; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Contexts go down through several calls, and results come back up.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@double~}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}
; CHECK-DAG:   context of @outer: {[0]:Pointer~ -> {[0]:Float@double~}} {[0]:Pointer~ -> {[0]:Float@double~}}{{$}}

define double @f(ptr %x, ptr %y) {
  %v = load double, ptr %x
  call void @outer(ptr %y, ptr %x)
  ret double %v
}
define internal void @outer(ptr %to, ptr %from) noinline {
  call void @inner(ptr %to, ptr %from)
  ret void
}
define internal void @inner(ptr %to, ptr %from) noinline {
  %bits = load i64, ptr %from
  store i64 %bits, ptr %to
  ret void
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
