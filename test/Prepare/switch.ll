; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; Cases that fall through; two cases that lead to one block get an edge each.

define double @f(double %x, i64 %n) {
entry:
  switch i64 %n, label %other [
    i64 0, label %twice
    i64 1, label %thrice
    i64 2, label %exit
    i64 3, label %exit
  ]
twice:
  %x2 = fmul double %x, 2.0
  br label %thrice
thrice:
  %y = phi double [ %x, %entry ], [ %x2, %twice ]
  %y3 = fmul double %y, 3.0
  br label %exit
other:
  %e = call double @exp(double %x)
  br label %exit
exit:
  %r = phi double [ %x, %entry ], [ %x, %entry ], [ %y3, %thrice ], [ %e, %other ]
  ret double %r
}
declare double @exp(double)

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: switch i64 %n, label %other [
; CHECK: i64 0, label %twice
; CHECK: i64 1, label %thrice
; CHECK: i64 2, label %exit
; CHECK: i64 3, label %adze.case
; CHECK: %adze.from = phi i1 [ false, %twice ], [ true, %entry ]
; CHECK: adze.case:
; CHECK: %adze.from1 = phi i8 [ 0, %adze.case ], [ 1, %other ], [ 2, %thrice ], [ 3, %entry ]
; CHECK: %r = phi double [ %x, %adze.case ], [ %x, %entry ], [ %y3, %thrice ], [ %e, %other ]
; CHECK: ; merge %thrice: %adze.from in %twice %entry
; CHECK-NEXT: ; merge %exit: %adze.from1 in %adze.case %other %thrice %entry
