; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Instructions without a rule: named, where they stand.
;
; RUN: not %adze-opt %s -o %t.ll 2>&1 | FileCheck %s
; RUN: not %opt -passes=adze -disable-output %s 2>&1 | FileCheck %s
declare double @__enzyme_autodiff(ptr, ...)

; CHECK: error: in function 'scalable': no derivative rule for this instruction: {{.*}}vector
; CHECK: in the derivative that '__enzyme_autodiff' asks for in 'main'
; CHECK: to fix: keep it away from active data, or mark the data enzyme_const
define double @scalable(double %x) {
  %a = insertelement <vscale x 2 x double> poison, double %x, i64 0
  %b = fmul <vscale x 2 x double> %a, %a
  %c = extractelement <vscale x 2 x double> %b, i64 0
  ret double %c
}

define double @main(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @scalable, double %x)
  ret double %d
}
