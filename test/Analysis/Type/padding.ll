; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Padding of a declared object has no derivative; a copy of the object moves no
; unknown bytes.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(4)?, [12]:Anything(4), [16]:Float@double?}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[0]:Integer(4)?}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Integer(4)?, [4]:Anything(4), [8]:Float@double?}}{{$}}
; CHECK-DAG:   %both: {[0]:Integer(4)?, [4]:Anything(4)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

%struct.S = type { double, i32, double }
@g = internal global %struct.S zeroinitializer
define double @f(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @g, i64 24, i1 false)
  %p = getelementptr i8, ptr %x, i64 8
  %both = load i64, ptr %p
  store i64 %both, ptr %y
  %v = load double, ptr %x
  ret double %v
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
