; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reads that the same or a later iteration overwrites, and one that survives.
; RUN: %adze-opt --stop-after=memory %s | FileCheck %s

; CHECK-LABEL: memory of adze.primal.f
; CHECK-NEXT:   %a = load double, ptr %p, align 8
; CHECK-NEXT:     -> overwritten by  store double %m, ptr %q, align 8
; CHECK-NEXT:   %b = load double, ptr %o, align 8
; CHECK-NEXT:     -> survives

define void @f(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %j = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds double, ptr %x, i64 %j
  %q = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p
  %o = getelementptr inbounds double, ptr %y, i64 %i
  %b = load double, ptr %o
  %m = fmul double %a, %b
  store double %m, ptr %q
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
