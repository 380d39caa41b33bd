; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Buffers that a loop swaps: what was read is overwritten one step later.
; RUN: %adze-opt --stop-after=memory %s | FileCheck %s

; CHECK-LABEL: memory of adze.primal.f
; CHECK-NEXT:   %v = load double, ptr %a, align 8
; CHECK-NEXT:     -> overwritten by  store double %m, ptr %b, align 8

define void @f(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %a = phi ptr [ %x, %entry ], [ %b, %body ]
  %b = phi ptr [ %y, %entry ], [ %a, %body ]
  %v = load double, ptr %a
  %m = fmul double %v, %v
  store double %m, ptr %b
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

define void @differentiate(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
