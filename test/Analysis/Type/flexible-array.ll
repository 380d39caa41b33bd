; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A header, then doubles to the end: what is behind the header repeats.
; Without the loop only the elements that are read are known.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %row: {[0]:Pointer -> {[0]:Integer(4), [8*8]:Float@double}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(8)?}{{$}}
; CHECK-DAG:   %length: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   %data: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %i: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %at: {[0]:Pointer -> {[*8]:Float@double}}{{$}}
; CHECK-DAG:   %next: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %row: {[0]:Pointer -> {[0]:Integer(4), [8]:Float@double}}{{$}}
; CHECK-DAG:   %length: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   %data: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %row, i64 %n) {
entry:
  %length = load i32, ptr %row, !tbaa !5
  %data = getelementptr i8, ptr %row, i64 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr inbounds [0 x double], ptr %data, i64 0, i64 %i
  %v = load double, ptr %at, !tbaa !3
  %more = fadd double %sum, %v
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret double %more
}
define double @g(ptr %row) {
  %length = load i32, ptr %row, !tbaa !5
  %data = getelementptr i8, ptr %row, i64 8
  %v = load double, ptr %data, !tbaa !3
  ret double %v
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

define void @differentiate(ptr %a0, ptr %d0, i64 %a1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
