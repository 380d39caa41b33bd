; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Padding repeats with whole records: a cursor that advances by eight bytes, and an
; index in units of eight bytes, make none of what lies in between.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

%struct.R = type { i32, double, i8 }

; CHECK-LABEL: types of @f:
; CHECK-NOT:   *8]:Anything
; CHECK:       %first: {[0]:Pointer -> {{.*}}[4]:Anything(4)
; CHECK-NOT:   *8]:Anything
; CHECK:       return:

define double @f(ptr %to, ptr %end, ptr %other, i64 %n) {
entry:
  %first = alloca %struct.R
  br label %words
words:
  %cursor = phi ptr [ %to, %entry ], [ %after, %words ]
  call void @llvm.memcpy.p0.p0.i64(ptr %cursor, ptr %first, i64 24, i1 false)
  %after = getelementptr inbounds i8, ptr %cursor, i64 8
  %full = icmp eq ptr %after, %end
  br i1 %full, label %exit, label %words
exit:
  %word = getelementptr inbounds i64, ptr %other, i64 %n
  call void @llvm.memcpy.p0.p0.i64(ptr %word, ptr %first, i64 24, i1 false)
  %v = load double, ptr %other
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2, i64 %n)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @__enzyme_autodiff(ptr, ...)
