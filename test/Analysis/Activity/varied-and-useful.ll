; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is varied but not useful, or useful but not varied, is inactive.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK-NEXT:   double %x  -> active
; CHECK-NEXT:   double %c  -> inactive
; CHECK-NEXT:   %entry:
; CHECK-NEXT:   %a = fmul double %x, %c  -> active
; CHECK-NEXT:   %dead = fmul double %a, %a  -> inactive
; CHECK-NEXT:   %k = fmul double %c, %c  -> inactive
; CHECK-NEXT:   %neg = fcmp olt double %a, %dead  -> inactive
; CHECK-NEXT:   %b = fmul double %a, %k  -> active
; CHECK-NEXT:   %p = select i1 %neg, double %b, double 0.000000e+00  -> active
; CHECK-NEXT:   %r = fadd double %p, %a  -> active
; CHECK-NEXT:   ret double %r  -> takes part

define double @f(double %x, double %c) {
entry:
  %a = fmul double %x, %c
  %dead = fmul double %a, %a
  %k = fmul double %c, %c
  %neg = fcmp olt double %a, %dead
  br i1 %neg, label %low, label %join
low:
  %b = fmul double %a, %k
  br label %join
join:
  %p = phi double [ %b, %low ], [ 0.0, %entry ]
  %r = fadd double %p, %a
  ret double %r
}

define double @differentiate(double %x, double %c) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_const, double %c)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
