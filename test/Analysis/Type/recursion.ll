; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that calls itself with advancing pointers.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %bits: {[0]:Float@double}{{$}}
; CHECK-DAG:   %x8: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK-DAG:   %y8: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK-DAG:   %less: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y, i64 %n) {
entry:
  %done = icmp eq i64 %n, 0
  br i1 %done, label %exit, label %more
more:
  %bits = load i64, ptr %x
  store i64 %bits, ptr %y
  %v = load double, ptr %x
  %x8 = getelementptr inbounds i8, ptr %x, i64 8
  %y8 = getelementptr inbounds i8, ptr %y, i64 8
  %less = add i64 %n, -1
  %rest = call double @f(ptr %x8, ptr %y8, i64 %less)
  %sum = fadd double %v, %rest
  br label %exit
exit:
  %r = phi double [ 0.0, %entry ], [ %sum, %more ]
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
