; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; A lane that is off touches no memory: a masked access becomes branches.

define double @f(ptr %p, <2 x i1> %on) {
  %v = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %p, i32 8, <2 x i1> %on, <2 x double> zeroinitializer)
  %a = extractelement <2 x double> %v, i64 0
  %b = extractelement <2 x double> %v, i64 1
  %r = fmul double %a, %b
  ret double %r
}
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, i32, <2 x i1>, <2 x double>)

declare void @__enzyme_autodiff(ptr, ...)
define void @gradient(ptr %p, ptr %dp, <2 x i1> %on) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, <2 x i1> %on)
  ret void
}

; CHECK-LABEL: ; primal of @f
; CHECK: br i1 %2, label %cond.load, label %else
; CHECK: %4 = load double, ptr %3, align 8
; CHECK: br i1 %7, label %cond.load1, label %else2
; CHECK: %9 = load double, ptr %8, align 8
; CHECK: ; merge %else: %2 in %0 %cond.load
; CHECK-NEXT: ; merge %else2: %7 in %else %cond.load1
; GONE-NOT: {{llvm.masked}}
