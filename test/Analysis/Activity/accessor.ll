; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One accessor, called for an active and for a constant container.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK-NEXT:   ptr %x  -> shadow
; CHECK-NEXT:   ptr %c  -> inactive
; CHECK-NEXT:   i64 %i  -> inactive
; CHECK-NEXT:   %0:
; CHECK-NEXT:   %p = call ptr @at(ptr %x, i64 %i)  -> shadow
; CHECK-NEXT:   %q = call ptr @at(ptr %c, i64 %i)  -> inactive
; CHECK-NEXT:   %a = load double, ptr %p, align 8  -> active
; CHECK-NEXT:   %b = load double, ptr %q, align 8  -> inactive
; CHECK-NEXT:   %r = fmul double %a, %b  -> active
; CHECK-NEXT:   ret double %r  -> takes part

define internal ptr @at(ptr %v, i64 %i) noinline {
  %d = getelementptr i8, ptr %v, i64 8
  %p = load ptr, ptr %d
  %q = getelementptr double, ptr %p, i64 %i
  ret ptr %q
}
define double @f(ptr %x, ptr %c, i64 %i) {
  %p = call ptr @at(ptr %x, i64 %i)
  %q = call ptr @at(ptr %c, i64 %i)
  %a = load double, ptr %p
  %b = load double, ptr %q
  %r = fmul double %a, %b
  ret double %r
}

define void @differentiate(ptr %x, ptr %dx, ptr %c, i64 %i) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, ptr %c, i64 %i)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
