; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What another function does with a variable of the module tells its type, also
; through a pointer kept in it; that it is used for numbers elsewhere does not.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %from: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK-DAG:   %words: {[0]:Pointer}{{$}}

@table = internal global ptr null
@area = internal global [64 x i8] zeroinitializer
@numbers = internal global ptr null

define double @f(ptr %x) {
  call void @fill(ptr %x)
  %from = load ptr, ptr @table
  call void @llvm.memcpy.p0.p0.i64(ptr @area, ptr %from, i64 24, i1 false)
  %words = load ptr, ptr @numbers
  %r = call double @use()
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal void @fill(ptr %x) noinline {
entry:
  %to = load ptr, ptr @table
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %to, i64 %i
  %v = load double, ptr %x
  store double %v, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}
define internal double @use() noinline {
  %v = load double, ptr @area
  %p = load ptr, ptr @numbers
  %n = load i64, ptr %p
  %w = sitofp i64 %n to double
  %r = fadd double %v, %w
  ret double %r
}

define void @differentiate(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
