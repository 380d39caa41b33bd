; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two functions that call each other; each knows something of the struct.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(4)}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %less: {[0]:Integer(8)~}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %s, i64 %n) {
entry:
  %v = load double, ptr %s
  %done = icmp eq i64 %n, 0
  br i1 %done, label %exit, label %more
more:
  %less = add i64 %n, -1
  %w = call double @other(ptr %s, i64 %less)
  br label %exit
exit:
  %r = phi double [ %v, %entry ], [ %w, %more ]
  ret double %r
}
define internal double @other(ptr %s, i64 %n) noinline {
  %p = getelementptr i8, ptr %s, i64 8
  %k = load i32, ptr %p
  %w = sitofp i32 %k to double
  %v = call double @f(ptr %s, i64 %n)
  %r = fmul double %v, %w
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
