; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory that holds now a double and now a number is moved as doubles; memory
; that may hold a pointer instead is not.
; RUN: %adze-opt --stop-after=plan %s | FileCheck %s
; RUN: not %adze-opt --stop-after=plan %S/Inputs/float-or-pointer.ll 2>&1 | FileCheck %s --check-prefix=POINTER

; CHECK: plan of rev.f.
; POINTER: the memory behind {{.*}} is used with contradicting types: {{pointer and double|double and pointer}}

define double @f(ptr %x, ptr %cell, ptr %copy, i64 %n) {
  %number = getelementptr i8, ptr %cell, i64 8
  %tag = load i64, ptr %cell
  %flag = icmp sgt i64 %tag, 3
  br i1 %flag, label %double, label %integer
double:
  %v = load double, ptr %x
  store double %v, ptr %number
  br label %move
integer:
  %m = load i64, ptr %number
  %w = sitofp i64 %m to double
  br label %move
move:
  %r = phi double [ %v, %double ], [ %w, %integer ]
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %cell, i64 16, i1 false)
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i64 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i64 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
