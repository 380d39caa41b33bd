; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; Two edges from one block to another cannot be told apart, and need not be.

define double @f(double %x, i64 %n) {
entry:
  %c = icmp sgt i64 %n, 4
  br i1 %c, label %next, label %next
next:
  %y = phi double [ %x, %entry ], [ %x, %entry ]
  %r = fmul double %y, %y
  ret double %r
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: entry:
; CHECK: %r = fmul double %x, %x
; CHECK: ret double %r
; GONE-NOT: {{br i1}}
