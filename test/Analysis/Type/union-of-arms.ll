; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A union of which two members are used: both are told, and nobody is believed.
; Two members at two places are not a union.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %u: {[0]:Pointer -> {[0]:Integer(8), [0]:Float@double}}{{$}}
; CHECK-DAG:   %wide: {[0]:Integer}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8), [0]:Float@double}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}
; CHECK-DAG:   conflict in %u at [0][0]: Integer by '%n = load i64, ptr %u, align 4, !tbaa !0', Float@double by '%v = load double, ptr %u, align 8'{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %u: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(8)}}{{$}}
; CHECK-DAG:   %wide: {[0]:Integer}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer -> {[0]:Integer(8)}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %u, i1 %wide) {
  br i1 %wide, label %double, label %number
double:
  %v = load double, ptr %u
  br label %join
number:
  %n = load i64, ptr %u, !tbaa !10
  %c = sitofp i64 %n to double
  br label %join
join:
  %r = phi double [ %v, %double ], [ %c, %number ]
  ret double %r
}
define double @g(ptr %u, i1 %wide) {
  br i1 %wide, label %double, label %number
double:
  %v = load double, ptr %u
  br label %join
number:
  %at = getelementptr i8, ptr %u, i64 8
  %n = load i64, ptr %at, !tbaa !10
  %c = sitofp i64 %n to double
  br label %join
join:
  %r = phi double [ %v, %double ], [ %c, %number ]
  ret double %r
}
!0 = !{!"Simple C/C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"double", !1, i64 0}
!3 = !{!2, !2, i64 0}
!4 = !{!"int", !1, i64 0}
!5 = !{!4, !4, i64 0}
!6 = !{!"any pointer", !1, i64 0}
!7 = !{!6, !6, i64 0}
!8 = !{!1, !1, i64 0}
!9 = !{!"long", !1, i64 0}
!10 = !{!9, !9, i64 0}

define void @differentiate(ptr %a0, ptr %d0, i1 %a1, ptr %a2, ptr %d2, i1 %a3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i1 %a1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2, i1 %a3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
