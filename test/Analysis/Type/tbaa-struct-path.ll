; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An access to one field tells the fields beside it, less surely.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {[0]:Float@double~, [8]:Pointer~, [16]:Integer(4), [24]:Float@float~}}{{$}}
; CHECK-DAG:   %p: {[0]:Pointer -> {[0]:Integer(4), [8]:Float@float~}}{{$}}
; CHECK-DAG:   %n: {[0]:Integer(4)}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %s) {
  %p = getelementptr i8, ptr %s, i64 16
  %n = load i32, ptr %p, !tbaa !1
  %v = sitofp i32 %n to double
  ret double %v
}
!0 = !{!"Simple C/C++ TBAA"}
!10 = !{!"omnipotent char", !0, i64 0}
!1 = !{!2, !3, i64 16}
!2 = !{!"S", !4, i64 0, !5, i64 8, !3, i64 16, !6, i64 24}
!3 = !{!"int", !10, i64 0}
!4 = !{!"double", !10, i64 0}
!5 = !{!"any pointer", !10, i64 0}
!6 = !{!"T", !7, i64 0, !10, i64 4}
!7 = !{!"float", !10, i64 0}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
