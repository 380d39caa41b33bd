; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Names of C types tell what an integer load carries; char tells nothing.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %d: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %l: {[0]:Pointer -> {[0]:Integer(8)}}{{$}}
; CHECK-DAG:   %c: {[0]:Pointer}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(8)}}{{$}}
; CHECK-DAG:   %a: {[0]:Float@double}{{$}}
; CHECK-DAG:   %b: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %e: {}{{$}}
; CHECK-DAG:   %o2: {[0]:Pointer -> {[0]:Integer(8)}}{{$}}
; CHECK-DAG:   %o3: {[0]:Pointer}{{$}}
; CHECK-DAG:   return: {[0]:Anything(8)}{{$}}

define double @f(ptr %d, ptr %l, ptr %c, ptr %out) {
  %a = load i64, ptr %d, !tbaa !1
  %b = load i64, ptr %l, !tbaa !3
  %e = load i64, ptr %c, !tbaa !5
  store i64 %a, ptr %out
  %o2 = getelementptr i8, ptr %out, i64 8
  store i64 %b, ptr %o2
  %o3 = getelementptr i8, ptr %out, i64 16
  store i64 %e, ptr %o3
  ret double 0.0
}
!0 = !{!"Simple C/C++ TBAA"}
!10 = !{!"omnipotent char", !0, i64 0}
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !10, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"long", !10, i64 0}
!5 = !{!10, !10, i64 0}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
