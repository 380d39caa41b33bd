; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; x86's intrinsics become what says the same in LLVM's own words; so does
; assembly of which the meaning is known.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare <4 x double> @llvm.x86.avx.hadd.pd.256(<4 x double>, <4 x double>)
declare <4 x double> @llvm.x86.avx.blendv.pd.256(<4 x double>, <4 x double>, <4 x double>)
declare <2 x double> @llvm.x86.sse41.round.pd(<2 x double>, i32)

; CHECK-LABEL: ; primal of @f
; CHECK:      %[[EVEN:.*]] = shufflevector <4 x double> %a, <4 x double> %b, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
; CHECK-NEXT: %[[ODD:.*]] = shufflevector <4 x double> %a, <4 x double> %b, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
; CHECK-NEXT: %[[SUM:.*]] = fadd <4 x double> %[[EVEN]], %[[ODD]]
; CHECK:      %[[SIGN:.*]] = icmp slt <4 x i64> %{{.*}}, zeroinitializer
; CHECK-NEXT: %[[CHOSEN:.*]] = select <4 x i1> %[[SIGN]], <4 x double> %b, <4 x double> %[[SUM]]
; CHECK:      call <2 x double> @llvm.floor.v2f64(
; CHECK:      call double @llvm.arithmetic.fence.f64(
; CHECK-NOT:  asm
; CHECK:      %[[LESS:.*]] = fcmp olt double
; CHECK-NEXT: select i1 %[[LESS]], double
; CHECK:      ret double
define double @f(ptr %p.a, ptr %p.b) {
  %a = load <4 x double>, ptr %p.a
  %b = load <4 x double>, ptr %p.b
  %h = call <4 x double> @llvm.x86.avx.hadd.pd.256(<4 x double> %a, <4 x double> %b)
  %v = call <4 x double> @llvm.x86.avx.blendv.pd.256(<4 x double> %h, <4 x double> %b, <4 x double> %a)
  %low = shufflevector <4 x double> %v, <4 x double> poison, <2 x i32> <i32 0, i32 1>
  %r = call <2 x double> @llvm.x86.sse41.round.pd(<2 x double> %low, i32 9)
  %d = fsub <2 x double> %low, %r
  %x = extractelement <2 x double> %d, i32 0
  %y = extractelement <4 x double> %v, i32 3
  %k = call double asm "", "=x,0,~{dirflag},~{fpsr},~{flags}"(double %x)
  %m = call double asm "minsd $1, $0", "=x,x,0,~{dirflag},~{fpsr},~{flags}"(double %y, double %k)
  %p = fmul double %m, %k
  ret double %p
}

declare void @__enzyme_autodiff(ptr, ...)
define void @main(ptr %a, ptr %b) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %a, ptr %b, ptr %b)
  ret void
}
