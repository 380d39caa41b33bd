; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that only moves bytes is told by the function that holds its marker;
; one that knows its types itself is not, and one derivative serves all markers.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK:       ; rev.move.dd.c.m00.t41:
; CHECK-LABEL: types of @move:
; CHECK-NEXT:  %to: {[0]:Pointer -> {[*8x10]:Float@double~}}{{$}}
; CHECK-NEXT:  %from: {[0]:Pointer -> {[*8]:Float@double~}}{{$}}
; CHECK:       ; rev.clear.d.c.m0{{$}}
; CHECK:       ; rev.move.dd.c.m00{{$}}
; CHECK-LABEL: types of @move:
; CHECK-NEXT:  %to: {[0]:Pointer}{{$}}
; CHECK-NEXT:  %from: {[0]:Pointer}{{$}}
; CHECK-NOT:   rev.clear

define void @move(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 80, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @clear(ptr %p) {
  store double 0.0, ptr %p
  ret void
}

; Filled by a function of its own; the values arrive in a loop.
define internal void @fill(ptr %x) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  store double 1.0, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @known(ptr %y, ptr %dy) {
  %x = alloca [10 x double]
  %dx = alloca [10 x double]
  call void @fill(ptr %x)
  call void (ptr, ...) @__enzyme_autodiff(ptr @move, ptr %y, ptr %dy, ptr %x, ptr %dx)
  call void (ptr, ...) @__enzyme_autodiff(ptr @clear, ptr %x, ptr %dx)
  ret void
}
define void @unknown(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @move, ptr %y, ptr %dy, ptr %x, ptr %dx)
  call void (ptr, ...) @__enzyme_autodiff(ptr @clear, ptr %x, ptr %dx)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
