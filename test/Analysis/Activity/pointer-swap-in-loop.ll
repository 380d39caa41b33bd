; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two buffers that a loop swaps: both need a shadow as soon as one does.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
entry:
  %m = call noalias ptr @calloc(i64 1, i64 8)           ; CHECK: %m = {{.*}} -> shadow
  %o = call noalias ptr @calloc(i64 1, i64 8)           ; CHECK: %o = {{.*}} -> shadow
  store double %x, ptr %m                               ; CHECK: store double %x, ptr %m{{.*}} -> takes part
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]             ; CHECK: %i = {{.*}} -> inactive
  %a = phi ptr [ %m, %entry ], [ %b, %loop ]            ; CHECK: %a = {{.*}} -> shadow
  %b = phi ptr [ %o, %entry ], [ %a, %loop ]            ; CHECK: %b = {{.*}} -> shadow
  %v = load double, ptr %a                              ; CHECK: %v = {{.*}} -> active
  %w = fmul double %v, 2.0                              ; CHECK: %w = {{.*}} -> active
  store double %w, ptr %b                               ; CHECK: store double %w, ptr %b{{.*}} -> takes part
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %loop, label %exit
exit:
  %r = load double, ptr %o                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Nothing active is put in.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
entry:
  %m = call noalias ptr @calloc(i64 1, i64 8)           ; CHECK: %m = {{.*}} -> inactive
  %o = call noalias ptr @calloc(i64 1, i64 8)           ; CHECK: %o = {{.*}} -> inactive
  store double 1.000000e+00, ptr %m                     ; CHECK: store double 1.000000e+00, ptr %m{{.*}} -> inactive
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]             ; CHECK: %i = {{.*}} -> inactive
  %a = phi ptr [ %m, %entry ], [ %b, %loop ]            ; CHECK: %a = {{.*}} -> inactive
  %b = phi ptr [ %o, %entry ], [ %a, %loop ]            ; CHECK: %b = {{.*}} -> inactive
  %v = load double, ptr %a                              ; CHECK: %v = {{.*}} -> inactive
  %w = fmul double %v, 2.0                              ; CHECK: %w = {{.*}} -> inactive
  store double %w, ptr %b                               ; CHECK: store double %w, ptr %b{{.*}} -> inactive
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %loop, label %exit
exit:
  %k = load double, ptr %o                              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @calloc(i64, i64)

define double @differentiate(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1)
  ret double %r
}

define double @differentiate_g(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, i64 %a1)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
