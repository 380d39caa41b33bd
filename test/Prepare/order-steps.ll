; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; Steps over structures come before steps within one; nothing is promised of the address between.

%Row = type { double, [4 x float] }

; CHECK-LABEL: primal of @f
; CHECK-NEXT: define
; CHECK-NEXT: %[[ROW:.*]] = getelementptr [8 x %Row], ptr %rows, i64 0, i64 %i, i32 1
; CHECK-NEXT: %[[PLACE:.*]] = getelementptr [4 x float], ptr %[[ROW]], i64 0, i64 %j
; CHECK-NEXT: load float, ptr %[[PLACE]]
; The steps of the second pair are of one size, those of the third promise to stay within the array.
; CHECK: %same = getelementptr [4 x float], ptr %rows, i64 0, i64 %j
; CHECK-NEXT: getelementptr [4 x float], ptr %same, i64 0, i64 %i
; CHECK: %within = getelementptr inbounds [4 x float], ptr %rows, i64 0, i64 %j
; CHECK-NEXT: getelementptr inbounds [8 x %Row], ptr %within, i64 0, i64 %i
define double @f(ptr %rows, i64 %i, i64 %j) {
  %small = getelementptr [4 x float], ptr %rows, i64 0, i64 %j
  %large = getelementptr [8 x %Row], ptr %small, i64 0, i64 %i, i32 1
  %x = load float, ptr %large
  %same = getelementptr [4 x float], ptr %rows, i64 0, i64 %j
  %other = getelementptr [4 x float], ptr %same, i64 0, i64 %i
  %y = load float, ptr %other
  %within = getelementptr inbounds [4 x float], ptr %rows, i64 0, i64 %j
  %third = getelementptr inbounds [8 x %Row], ptr %within, i64 0, i64 %i
  %z = load float, ptr %third
  %xy = fmul float %x, %y
  %xyz = fmul float %xy, %z
  %r = fpext float %xyz to double
  ret double %r
}

declare void @__enzyme_autodiff(ptr, ...)
define void @gradient(ptr %rows, ptr %d, i64 %i, i64 %j) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %rows, ptr %d, i64 %i, i64 %j)
  ret void
}
