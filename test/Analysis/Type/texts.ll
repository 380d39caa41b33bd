; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that write text say so, as far as its length is known; those that read it say
; nothing.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Integer(7)}}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Integer(12)}}{{$}}
; CHECK-DAG:   %c: {[0]:Pointer -> {[0]:Integer}}{{$}}
; CHECK-DAG:   %d: {[0]:Pointer -> {[0]:Integer}}{{$}}
; CHECK-DAG:   %n: {}{{$}}
; CHECK-DAG:   %r1: {[0]:Pointer}{{$}}
; CHECK-DAG:   %r2: {[0]:Pointer}{{$}}
; CHECK-DAG:   %r3: {[0]:Pointer}{{$}}
; CHECK-DAG:   %r4: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %a: {[0]:Pointer}{{$}}
; CHECK-DAG:   %b: {[0]:Pointer}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   %c: {[0]:Integer(4)~}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

@word = internal constant [7 x i8] c"height\00"
@format = internal constant [3 x i8] c"%s\00"

define double @f(ptr %a, ptr %b, ptr %c, ptr %d, i64 %n) {
  %r1 = call ptr @strcpy(ptr %a, ptr @word)
  %r2 = call ptr @strncpy(ptr %b, ptr %d, i64 12)
  %r3 = call ptr @strcpy(ptr %c, ptr %d)
  %r4 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %d, i64 %n, ptr @format, ptr @word)
  ret double 0.0
}
define double @g(ptr %a, ptr %b) {
  %n = call i64 @strlen(ptr %a)
  %c = call i32 @strcmp(ptr %a, ptr %b)
  ret double 0.0
}
declare ptr @strcpy(ptr, ptr)
declare ptr @strncpy(ptr, ptr, i64)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i64 @strlen(ptr)
declare i32 @strcmp(ptr, ptr)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, i64 %a4, ptr %a5, ptr %d5, ptr %a6, ptr %d6) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3, i64 %a4)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a5, ptr %d5, ptr %a6, ptr %d6)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
