; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; New memory is what is done with it; calloc's zeros fit.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %bytes: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %m: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %c: {[0]:Pointer -> {[*4]:Float@float}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %q: {[0]:Pointer -> {[*4]:Float@float}}{{$}}
; CHECK-DAG:   %slot: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}}}{{$}}
; CHECK-DAG:   %e: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, i64 %n) {
  %bytes = shl i64 %n, 3
  %m = call ptr @malloc(i64 %bytes)
  %c = call ptr @calloc(i64 %n, i64 4)
  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %x, i64 %bytes, i1 false)
  %p = getelementptr inbounds double, ptr %m, i64 %n
  %v = load double, ptr %p
  %q = getelementptr inbounds float, ptr %c, i64 %n
  store float 1.0, ptr %q
  %slot = alloca ptr
  %e = call i32 @posix_memalign(ptr %slot, i64 64, i64 %bytes)
  %a = load ptr, ptr %slot
  store double %v, ptr %a
  call void @free(ptr %m)
  call void @free(ptr %c)
  call void @free(ptr %a)
  %w = sitofp i32 %e to double
  %r = fadd double %v, %w
  ret double %r
}
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare i32 @posix_memalign(ptr, i64, i64)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
