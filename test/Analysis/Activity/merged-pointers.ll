; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One pointer to active and to a constant allocation gives the latter a shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK-NEXT:   ptr %x  -> shadow
; CHECK-NEXT:   i1 %t  -> inactive
; CHECK-NEXT:   %0:
; CHECK-NEXT:   %l = call noalias ptr @malloc(i64 8)  -> shadow
; CHECK-NEXT:   store double 1.000000e+00, ptr %l, align 8  -> takes part
; CHECK-NEXT:   %p = select i1 %t, ptr %x, ptr %l  -> shadow
; CHECK-NEXT:   %v = load double, ptr %p, align 8  -> active
; CHECK-NEXT:   %w = load double, ptr %p, align 8  -> active
; CHECK-NEXT:   %r = fmul double %v, %w  -> active
; CHECK-NEXT:   ret double %r  -> takes part

define double @f(ptr %x, i1 %t) {
  %l = call noalias ptr @malloc(i64 8)
  store double 1.0, ptr %l
  %p = select i1 %t, ptr %x, ptr %l
  %v = load double, ptr %p
  %w = load double, ptr %p
  %r = fmul double %v, %w
  ret double %r
}

declare noalias ptr @malloc(i64)
define void @differentiate(ptr %x, ptr %dx, i1 %t) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i1 %t)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
