; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; Markers go, passthroughs give way to their operand, inline copies become copies.

define double @f(ptr %p, i64 %n) {
entry:
  %a = alloca [4 x double], align 8
  call void @llvm.lifetime.start.p0(i64 32, ptr %a)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %a, ptr %p, i64 32, i1 false)
  %i = and i64 %n, 3
  %e = call i64 @llvm.expect.i64(i64 %i, i64 1)
  %at = getelementptr double, ptr %a, i64 %e
  %v = load double, ptr %at, align 8
  %k = call i1 @llvm.is.constant.f64(double %v)
  %w = select i1 %k, double 1.0, double %v
  call void @llvm.lifetime.end.p0(i64 32, ptr %a)
  %r = musttail call double @h(ptr %p, i64 %n)
  ret double %r
}
define double @h(ptr %p, i64 %n) noinline {
  %v = load double, ptr %p, align 8
  ret double %v
}
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.expect.i64(i64, i64)
declare i1 @llvm.is.constant.f64(double)

declare void @__enzyme_autodiff(ptr, ...)
define void @gradient(ptr %p, ptr %dp, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, i64 %n)
  ret void
}

; CHECK-LABEL: ; primal of @f
; CHECK: %a = alloca [4 x double], align 8
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 32, i1 false)
; CHECK: %i = and i64 %n, 3
; CHECK: %at = getelementptr double, ptr %a, i64 %i
; CHECK: %v = load double, ptr %at, align 8
; CHECK: %r = call double @h(ptr %p, i64 %n)
; CHECK: ret double %r
; GONE-NOT: {{lifetime|llvm.expect|is.constant|musttail}}
