; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The declared type of arguments passed in memory.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-NEXT:  %result: {[0]:Pointer -> {[0]:Float@double?, [8]:Pointer?, [16*4x2]:Float@float?}}
; CHECK-NEXT:  %s: {[0]:Pointer -> {[0]:Float@double?, [8]:Pointer?, [16*4x2]:Float@float?}}

%S = type { double, ptr, [2 x float] }
define void @f(ptr sret(%S) %result, ptr byval(%S) %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %result, ptr %s, i64 24, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr sret( %a0) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr sret( %a0)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
