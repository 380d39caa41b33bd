; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vector code without a rule.
;
; RUN: not %adze-opt %s -o %t.ll 2>&1 | FileCheck %s
declare double @__enzyme_autodiff(ptr, ...)
declare <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(<8 x double>, <8 x double>, <8 x double>, i8, i32)

; Of x86's intrinsics those that LLVM has no words for, by name.
; CHECK: error: in function 'target': no derivative rule for this instruction: a call of 'llvm.x86.avx512.mask.scalef.pd.512'
define double @target(double %x) {
  %a = insertelement <8 x double> zeroinitializer, double %x, i64 0
  %b = call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(<8 x double> %a, <8 x double> %a, <8 x double> %a, i8 -1, i32 4)
  %c = extractelement <8 x double> %b, i64 0
  ret double %c
}

; Halves of doubles are no floats.
; CHECK: error: in function 'halves': no derivative rule for this instruction: active floats taken for floats of another size
define double @halves(double %x) {
  %a = insertelement <2 x double> zeroinitializer, double %x, i64 0
  %b = bitcast <2 x double> %a to <4 x float>
  %c = shufflevector <4 x float> %b, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %d = bitcast <4 x float> %c to <2 x double>
  %e = extractelement <2 x double> %d, i64 1
  ret double %e
}

define double @main(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @target, double %x)
  %e = call double (ptr, ...) @__enzyme_autodiff(ptr @halves, double %x)
  %f = fadd double %d, %e
  ret double %f
}
