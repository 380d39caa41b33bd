; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The tag of a copy lists the members of the struct; a union is one of char, which says nothing.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %to: {[0]:Pointer -> {[0]:Integer(4), [16]:Float@double}}{{$}}
; CHECK-DAG:   %from: {[0]:Pointer -> {[0]:Integer(4), [16]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %to: {[0]:Pointer -> {[0]:Integer(4), [8]:Float@double}}{{$}}
; CHECK-DAG:   %from: {[0]:Pointer -> {[0]:Integer(4), [8]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 24, i1 false), !tbaa.struct !10
  ret double 0.0
}
define double @g(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 24, i1 false), !tbaa.struct !11
  ret double 0.0
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
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
!10 = !{i64 0, i64 4, !5, i64 8, i64 8, !8, i64 16, i64 8, !3}
!11 = !{i64 0, i64 4, !5, i64 8, i64 8, !3, i64 16, i64 8, !8}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
