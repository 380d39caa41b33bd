; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; A loop without exit: nothing of it ever returns, so no reverse code visits it.

define double @f(double %x) {
entry:
  %bad = fcmp olt double %x, 0.0
  br i1 %bad, label %forever, label %exit
forever:
  call void @wait()
  br label %forever
exit:
  %r = fmul double %x, %x
  ret double %r
}
declare void @wait()

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: define internal double @adze.primal.f(double %x) {
; CHECK: br label %forever
; CHECK: %adze.counter = phi i64 [ 0, %forever.preheader ], [ %adze.next, %forever ]
; CHECK: %adze.next = add nuw nsw i64 %adze.counter, 1
; CHECK: br label %forever
; CHECK: ; loop %forever depth 1: counter %adze.counter, last iteration none, bound none, exit none or several
; CHECK-NEXT: ; never returns from %forever.preheader
; CHECK-NEXT: ; never returns from %forever
