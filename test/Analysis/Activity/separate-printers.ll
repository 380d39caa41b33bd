; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Three questions, each with a printer of its own, and one that prints all answers together.
; RUN: %adze-opt --stop-after=activity-values %s | FileCheck %s --check-prefix=VALUES
; RUN: %adze-opt --stop-after=activity-pointers %s | FileCheck %s --check-prefix=POINTERS
; RUN: %adze-opt --stop-after=activity-instructions %s | FileCheck %s --check-prefix=INSTRUCTIONS
; RUN: %adze-opt --passes='print<adze-activity-values>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VALUES
; RUN: %adze-opt --passes='print<adze-activity-pointers>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=POINTERS
; RUN: %adze-opt --passes='print<adze-activity-instructions>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=INSTRUCTIONS

; VALUES-LABEL: active values of adze.primal.f
; VALUES-NEXT:   i1 %t  -> inactive
; VALUES-NEXT:   %0:
; VALUES-NEXT:   %v = load double, ptr %p, align 8  -> active
; VALUES-NEXT:   %n = load i32, ptr %i, align 4{{.*}}  -> inactive
; VALUES-NEXT:   %w = sitofp i32 %n to double  -> inactive
; VALUES-NEXT:   %r = fmul double %v, %w  -> active
; VALUES-NOT:    ->

; POINTERS-LABEL: shadows of adze.primal.f
; POINTERS-NEXT:   ptr %x  -> shadow{{$}}
; POINTERS-NEXT:   ptr %c  -> no shadow
; POINTERS-NEXT:   ptr %i  -> no shadow
; POINTERS-NEXT:   %0:
; POINTERS-NEXT:   %p = select i1 %t, ptr %x, ptr %c  -> shadow or self
; POINTERS-NEXT:   @kept  -> shadow
; POINTERS-NOT:    ->

; INSTRUCTIONS-LABEL: active instructions of adze.primal.f
; INSTRUCTIONS-NEXT:   %0:
; INSTRUCTIONS-NEXT:   %p = select i1 %t, ptr %x, ptr %c  -> takes part
; INSTRUCTIONS-NEXT:   %v = load double, ptr %p, align 8  -> takes part
; INSTRUCTIONS-NEXT:   %n = load i32, ptr %i, align 4{{.*}}  -> inactive
; INSTRUCTIONS-NEXT:   %w = sitofp i32 %n to double  -> inactive
; INSTRUCTIONS-NEXT:   %r = fmul double %v, %w  -> takes part
; INSTRUCTIONS-NEXT:   store double 0.000000e+00, ptr @kept, align 8  -> takes part
; INSTRUCTIONS-NEXT:   store double %r, ptr @kept, align 8  -> takes part
; INSTRUCTIONS-NEXT:   store i32 7, ptr %i, align 4{{.*}}  -> inactive
; INSTRUCTIONS-NEXT:   ret double %r  -> takes part

@kept = internal global double 0.0

define double @f(ptr %x, ptr %c, ptr %i, i1 %t) {
  %p = select i1 %t, ptr %x, ptr %c
  %v = load double, ptr %p
  %n = load i32, ptr %i, !tbaa !1
  %w = sitofp i32 %n to double
  %r = fmul double %v, %w
  store double 0.0, ptr @kept
  store double %r, ptr @kept
  store i32 7, ptr %i, !tbaa !1
  ret double %r
}

define void @differentiate(ptr %x, ptr %dx, ptr %c, ptr %i, i1 %t) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, ptr %c, ptr @enzyme_const, ptr %i, i1 %t)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
!0 = !{!"int", !2}
!1 = !{!0, !0, i64 0}
!2 = !{!"omnipotent char", !3}
!3 = !{!"C"}
