; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An object, its table of virtual functions, and a function in it, whose body tells the object.
; A word that nobody calls through is not known to be a table.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %this: {[0]:Pointer -> {[0]:Pointer -> {[16]:Pointer}, [8]:Float@double~}}{{$}}
; CHECK-DAG:   %table: {[0]:Pointer -> {[16]:Pointer}}{{$}}
; CHECK-DAG:   %slot: {[0]:Pointer -> {[0]:Pointer}}{{$}}
; CHECK-DAG:   %method: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %this: {[0]:Pointer -> {[0]:Pointer -> {[0]:Pointer}}}{{$}}
; CHECK-DAG:   %to: {[0]:Pointer}{{$}}
; CHECK-DAG:   %word: {}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

@vtable = internal constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @method] }

define double @f(ptr %this) {
  %table = load ptr, ptr %this
  %slot = getelementptr ptr, ptr %table, i64 2
  %method = load ptr, ptr %slot
  %y = call double %method(ptr %this)
  ret double %y
}
define double @g(ptr %this, ptr %to) {
  store ptr getelementptr inbounds ({ [3 x ptr] }, ptr @vtable, i32 0, i32 0, i32 2), ptr %this
  %word = load i64, ptr %to
  store i64 %word, ptr %to
  ret double 0.0
}
define internal double @method(ptr %this) {
  %m = getelementptr i8, ptr %this, i64 8
  %v = load double, ptr %m
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
