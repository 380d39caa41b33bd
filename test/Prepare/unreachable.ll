; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; Blocks that nothing reaches go; a block that ends the program stays.

define double @f(double %x) {
entry:
  %bad = fcmp olt double %x, 0.0
  br i1 %bad, label %fail, label %good
dead:
  %d = fmul double %x, 7.0
  br label %good
fail:
  call void @abort()
  unreachable
good:
  %y = phi double [ %x, %entry ], [ %d, %dead ]
  %r = fmul double %y, %y
  ret double %r
}
declare void @abort() noreturn

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: fail:
; CHECK: unreachable
; CHECK: %r = fmul double %x, %x
; CHECK: ; never returns from %fail
; GONE-NOT: {{dead:}}
