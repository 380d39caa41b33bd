; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Masked and gathered vectors.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double, [8]:Float@double, [16]:Float@double}}{{$}}
; CHECK-DAG:   %ps: {[0]:Pointer -> {[0]:Float@double}, [*8x2]:Pointer, [8]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %m: {}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %x16: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, <2 x ptr> %ps, <2 x i1> %m) {
  %v = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %x, i32 8, <2 x i1> %m, <2 x i64> zeroinitializer)
  %d = bitcast <2 x i64> %v to <2 x double>
  %g = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %ps, i32 8, <2 x i1> %m, <2 x double> %d)
  %p = extractelement <2 x ptr> %ps, i64 1
  %bits = load i64, ptr %p
  %x16 = getelementptr i8, ptr %x, i64 16
  store i64 %bits, ptr %x16
  %r = extractelement <2 x double> %g, i64 0
  ret double %r
}
declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)
declare <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x double>)

define void @differentiate(ptr %a0, ptr %d0, <2 x ptr> %a1, <2 x i1> %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, <2 x ptr> %a1, ptr @enzyme_const, <2 x i1> %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
