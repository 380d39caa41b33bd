; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Aligned blocks: the size and the alignment are numbers, the block is told by its use.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer -> {[0]:Float@float}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Pointer}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %e: {}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(i64 %n) {
  %m = call ptr @aligned_alloc(i64 64, i64 %n)
  %v = load float, ptr %m
  %r = fpext float %v to double
  ret double %r
}
define double @g(ptr %p, i64 %n) {
  %e = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)
  %m = load ptr, ptr %p
  %bits = load i32, ptr %m
  store i32 %bits, ptr %m
  ret double 0.0
}
declare ptr @aligned_alloc(i64, i64)
declare i32 @posix_memalign(ptr, i64, i64)

define void @differentiate(i64 %a0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, i64 %a0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
