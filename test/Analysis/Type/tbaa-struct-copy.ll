; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The tag of a copy describes both ends.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %to: {[0]:Pointer -> {[*8x2]:Float@double, [16]:Pointer, [24]:Integer(4)}}{{$}}
; CHECK-DAG:   %from: {[0]:Pointer -> {[*8x2]:Float@double, [16]:Pointer, [24]:Integer(4)}}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 32, i1 false), !tbaa.struct !1
  ret double 0.0
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{!"Simple C/C++ TBAA"}
!10 = !{!"omnipotent char", !0, i64 0}
!1 = !{i64 0, i64 16, !2, i64 16, i64 8, !4, i64 24, i64 4, !6}
!2 = !{!3, !3, i64 0}
!3 = !{!"double", !10, i64 0}
!4 = !{!5, !5, i64 0}
!5 = !{!"any pointer", !10, i64 0}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !10, i64 0}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
