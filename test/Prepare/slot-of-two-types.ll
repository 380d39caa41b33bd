; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In code that is not optimized, a slot that is read and written with different
; types stays memory until the read, which nothing uses, is gone: then it is a
; register, too.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
declare void @__enzyme_fwddiff(...)

; CHECK-LABEL: @adze.primal.twice(
; CHECK-NOT: alloca
; CHECK-NOT: store float
; CHECK: store double
; CHECK: ret void
define void @twice(ptr %x) {
  %register = alloca double
  %slot = alloca i32, align 4
  %unused = load <2 x i8>, ptr %slot, align 2
  store float 0.000000e+00, ptr %slot, align 4
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %x
  ret void
}

define void @request(ptr %x, ptr %dx) {
  call void (...) @__enzyme_fwddiff(ptr @twice, ptr %x, ptr %dx)
  ret void
}
