; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory allocated in a loop is other memory in the next iteration; releases are
; put off.
; RUN: %adze-opt --stop-after=memory %s | FileCheck %s

; CHECK-LABEL: memory of adze.primal.f
; CHECK-NEXT:   %a = load double, ptr %p, align 8
; CHECK-NEXT:     -> survives
; CHECK-NEXT:   %b = load double, ptr %w, align 8
; CHECK-NEXT:     -> survives

define double @f(ptr noalias %x, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %w = call noalias ptr @malloc(i64 16)
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p
  store double %a, ptr %w
  %b = load double, ptr %w
  %m = fmul double %b, %b
  call void @free(ptr %w)
  %t = fadd double %s, %m
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %exit
exit:
  ret double %t
}
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"

define void @differentiate(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
