; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A delay line in memory: what is stored in front arrives at the end later.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
entry:
  %m = call noalias ptr @calloc(i64 3, i64 8)           ; CHECK: %m = {{.*}} -> shadow
  %m1 = getelementptr i8, ptr %m, i64 8                 ; CHECK: %m1 = {{.*}} -> shadow
  %m2 = getelementptr i8, ptr %m, i64 16                ; CHECK: %m2 = {{.*}} -> shadow
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]             ; CHECK: %i = {{.*}} -> inactive
  %v1 = load double, ptr %m1                            ; CHECK: %v1 = {{.*}} -> active
  store double %v1, ptr %m2                             ; CHECK: store double %v1, ptr %m2{{.*}} -> takes part
  %v0 = load double, ptr %m                             ; CHECK: %v0 = {{.*}} -> active
  store double %v0, ptr %m1                             ; CHECK: store double %v0, ptr %m1{{.*}} -> takes part
  store double %x, ptr %m                               ; CHECK: store double %x, ptr %m{{.*}} -> takes part
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %loop, label %exit
exit:
  %r = load double, ptr %m2                             ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; The line is cut in the middle: its end stays zero.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
entry:
  %m = call noalias ptr @calloc(i64 3, i64 8)           ; CHECK: %m = {{.*}} -> inactive
  %m1 = getelementptr i8, ptr %m, i64 8                 ; CHECK: %m1 = {{.*}} -> inactive
  %m2 = getelementptr i8, ptr %m, i64 16                ; CHECK: %m2 = {{.*}} -> inactive
  br label %loop
loop:
; (Nobody writes there: it is read in front of the loop.)
; CHECK: %v1 = {{.*}} -> inactive
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]             ; CHECK: %i = {{.*}} -> inactive
  %v1 = load double, ptr %m1
  store double %v1, ptr %m2                             ; CHECK: store double %v1, ptr %m2{{.*}} -> inactive
  store double %x, ptr %m                               ; CHECK: store double %x, ptr %m{{.*}} -> inactive
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %loop, label %exit
exit:
  %k = load double, ptr %m2                             ; CHECK: %k = {{.*}} -> inactive
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
