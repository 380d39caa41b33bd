; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; !adze.struct_types speaks through addresses and variables of the structure; a
; structure of another size is another one.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

%struct.S = type { i32, ptr, %union.anon }
%union.anon = type { i64 }
%struct.T = type { i64, i64 }

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %s: {[0]:Pointer -> {{.*}}[8]:Pointer? -> {[*8]:Float@double?}, [16]:Float@double?{{.*}}
; CHECK-DAG:   %many: {[0]:Pointer -> {{.*}}[8*24]:Pointer? -> {[*8]:Float@double?}, [16*24]:Float@double?{{.*}}
; CHECK-DAG:   %local: {[0]:Pointer -> {{.*}}[8*24x4]:Pointer? -> {[*8]:Float@double?}, [16*24x4]:Float@double?{{.*}}
; CHECK-DAG:   %t: {[0]:Pointer -> {[0]:Integer(8)?, [8]:Integer(8)?}}{{$}}

define void @f(ptr %s, ptr %many, i64 %i, ptr %t) {
  %local = alloca [4 x %struct.S]
  %a = getelementptr %struct.S, ptr %s, i64 0, i32 2
  %b = getelementptr %struct.S, ptr %many, i64 %i, i32 2
  %c = getelementptr %struct.T, ptr %t, i64 0, i32 1
  call void @use(ptr %a)
  call void @use(ptr %b)
  call void @use(ptr %c)
  call void @use(ptr %local)
  ret void
}
declare void @use(ptr)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, i64 %a2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)

!adze.struct_types = !{!0, !1}
!0 = !{!"struct.S", i64 24, !"{[0]:Integer(4)?, [8]:Pointer? -> {[*8]:Float@double?}, [16]:Float@double?}"}
!1 = !{!"struct.T", i64 8, !"{[0]:Float@double?}"}
