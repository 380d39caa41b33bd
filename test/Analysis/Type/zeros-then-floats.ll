; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory that is cleared, then used for floats, holds floats; cleared and used by nobody, it is
; not known.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double}}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %x: {[0]:Float@double}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(double %x) {
  %m = call ptr @malloc(i64 16)
  call void @llvm.memset.p0.i64(ptr %m, i8 0, i64 16, i1 false)
  store double %x, ptr %m
  %at = getelementptr i8, ptr %m, i64 8
  %bits = load i64, ptr %at
  store i64 %bits, ptr %m
  ret double %x
}
define double @g(double %x) {
  %m = call ptr @malloc(i64 16)
  call void @llvm.memset.p0.i64(ptr %m, i8 0, i64 16, i1 false)
  %bits = load i64, ptr %m
  %at = getelementptr i8, ptr %m, i64 8
  store i64 %bits, ptr %at
  ret double %x
}
declare ptr @malloc(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @differentiate(double %a0, double %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %a0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, double %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
