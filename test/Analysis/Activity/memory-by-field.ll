; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure on the stack: one field active, one constant, one pointer.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK-NEXT:   ptr %x  -> shadow
; CHECK-NEXT:   double %c  -> inactive
; CHECK-NEXT:   %entry:
; CHECK-NEXT:   %s = call noalias ptr @malloc(i64 24)  -> shadow
; CHECK-NEXT:   %s1 = getelementptr i8, ptr %s, i64 8  -> shadow
; CHECK-NEXT:   %s2 = getelementptr i8, ptr %s, i64 16  -> shadow
; CHECK-NEXT:   %v = load double, ptr %x, align 8  -> active
; CHECK-NEXT:   store double %v, ptr %s, align 8  -> takes part
; CHECK-NEXT:   store double %c, ptr %s1, align 8  -> takes part
; CHECK-NEXT:   store ptr %x, ptr %s2, align 8  -> takes part
; CHECK-NEXT:   %a = load double, ptr %s, align 8  -> active
; CHECK-NEXT:   %b = load double, ptr %s1, align 8  -> inactive
; CHECK-NEXT:   %p = load ptr, ptr %s2, align 8  -> shadow
; CHECK-NEXT:   %w = load double, ptr %p, align 8  -> active
; CHECK-NEXT:   %ab = fmul double %a, %b  -> active
; CHECK-NEXT:   %r = fmul double %ab, %w  -> active
; CHECK-NEXT:   call void @free(ptr %s)  -> takes part
; CHECK-NEXT:   ret double %r  -> takes part

define double @f(ptr %x, double %c) {
entry:
  %s = call noalias ptr @malloc(i64 24)
  %s1 = getelementptr i8, ptr %s, i64 8
  %s2 = getelementptr i8, ptr %s, i64 16
  %v = load double, ptr %x
  store double %v, ptr %s
  store double %c, ptr %s1
  store ptr %x, ptr %s2
  %a = load double, ptr %s
  %b = load double, ptr %s1
  %p = load ptr, ptr %s2
  %w = load double, ptr %p
  %ab = fmul double %a, %b
  %r = fmul double %ab, %w
  call void @free(ptr %s)
  ret double %r
}
declare ptr @malloc(i64)
declare void @free(ptr)

define void @differentiate(ptr %x, ptr %dx, double %c) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, double %c)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
