; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; x86_fp80: 10 bytes at a distance of 16.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*16]:Float@x86_fp80, [10*16]:Anything(6)}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Float@x86_fp80}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*16]:Float@x86_fp80, [10*16]:Anything(6)}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
define double @f(ptr %x, ptr %y, i64 %i) {
  %p = getelementptr inbounds x86_fp80, ptr %x, i64 %i
  %v = load x86_fp80, ptr %p
  store x86_fp80 %v, ptr %y
  %r = fptrunc x86_fp80 %v to double
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
