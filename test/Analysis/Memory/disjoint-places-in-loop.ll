; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that reads one half of a structure and writes the other.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define void @f(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %m = fmul double %a, %a
  %q = getelementptr inbounds i8, ptr %x, i64 8
  store double %m, ptr %q
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; The other half moves on with the iterations, away from what was read.
; CHECK-LABEL: memory of adze.primal.g
define void @g(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %m = fmul double %a, %a
  %q = getelementptr inbounds i8, ptr %p, i64 8
  store double %m, ptr %q
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; The half that is read moves on, and the store comes after it.
; CHECK-LABEL: memory of adze.primal.h
define void @h(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %a = load double, ptr %q                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double %m, ptr %p{{.*}}
  %m = fmul double %a, %a
  store double %m, ptr %p
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, i64 %a1)
  ret void
}

define void @differentiate_h(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_h(ptr @h, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
declare void @__enzyme_autodiff_h(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
