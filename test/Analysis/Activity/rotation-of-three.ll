; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Three values that change places; active data enters one and leaves another.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]             ; CHECK: %i = {{.*}} -> inactive
  %a = phi double [ 1.0, %entry ], [ %b, %loop ]        ; CHECK: %a = {{.*}} -> active
  %b = phi double [ 2.0, %entry ], [ %c, %loop ]        ; CHECK: %b = {{.*}} -> active
  %c = phi double [ %x, %entry ], [ %a, %loop ]         ; CHECK: %c = {{.*}} -> active
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %loop, label %exit
exit:
  ret double %a                                         ; CHECK: ret double {{.*}} -> takes part
}
; Two change places, the third keeps its own: it is not useful.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %y, i64 %n) {
; CHECK: double %x -> active
; CHECK: double %y -> inactive
; CHECK: i64 %n -> inactive
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]             ; CHECK: %i = {{.*}} -> inactive
  %a = phi double [ 1.0, %entry ], [ %b, %loop ]        ; CHECK: %a = {{.*}} -> active
  %b = phi double [ %x, %entry ], [ %a, %loop ]         ; CHECK: %b = {{.*}} -> active
  %c = phi double [ %y, %entry ], [ %d, %loop ]         ; CHECK: %c = {{.*}} -> inactive
  %d = fmul double %c, %c                               ; CHECK: %d = {{.*}} -> inactive
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %loop, label %exit
exit:
  ret double %a                                         ; CHECK: ret double {{.*}} -> takes part
}

define double @differentiate(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1)
  ret double %r
}

define { double, double } @differentiate_g(double %a0, double %a1, i64 %a2) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, double %a1, i64 %a2)
  ret { double, double } %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare { double, double } @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
