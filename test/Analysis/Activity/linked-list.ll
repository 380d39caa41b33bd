; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A list that is built in a loop: each node points to the one before.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %n) {
; CHECK: double %x -> active
; CHECK: i64 %n -> inactive
entry:
  br label %build
build:
  %i = phi i64 [ 0, %entry ], [ %j, %build ]            ; CHECK: %i = {{.*}} -> inactive
  %last = phi ptr [ null, %entry ], [ %node, %build ]   ; CHECK: %last = {{.*}} -> shadow
  %node = call noalias ptr @malloc(i64 16)              ; CHECK: %node = {{.*}} -> shadow
  %nextp = getelementptr i8, ptr %node, i64 8           ; CHECK: %nextp = {{.*}} -> shadow
  store double %x, ptr %node                            ; CHECK: store double %x, ptr %node{{.*}} -> takes part
  store ptr %last, ptr %nextp                           ; CHECK: store ptr %last, ptr %nextp{{.*}} -> takes part
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %build, label %walk
walk:
  %p = phi ptr [ %node, %build ], [ %q, %walk ]         ; CHECK: %p = {{.*}} -> shadow
  %s = phi double [ 1.0, %build ], [ %t, %walk ]        ; CHECK: %s = {{.*}} -> active
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  %t = fmul double %s, %v                               ; CHECK: %t = {{.*}} -> active
  %np = getelementptr i8, ptr %p, i64 8                 ; CHECK: %np = {{.*}} -> shadow
  %q = load ptr, ptr %np                                ; CHECK: %q = {{.*}} -> shadow
  %end = icmp eq ptr %q, null                           ; CHECK: %end = {{.*}} -> inactive
  br i1 %end, label %exit, label %walk
exit:
  ret double %t                                         ; CHECK: ret double {{.*}} -> takes part
}
; Of constants.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, double %c, i64 %n) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
; CHECK: i64 %n -> inactive
entry:
  br label %build
build:
  %i = phi i64 [ 0, %entry ], [ %j, %build ]            ; CHECK: %i = {{.*}} -> inactive
  %last = phi ptr [ null, %entry ], [ %node, %build ]   ; CHECK: %last = {{.*}} -> inactive
  %node = call noalias ptr @malloc(i64 16)              ; CHECK: %node = {{.*}} -> inactive
  %nextp = getelementptr i8, ptr %node, i64 8           ; CHECK: %nextp = {{.*}} -> inactive
  store double %c, ptr %node                            ; CHECK: store double %c, ptr %node{{.*}} -> inactive
  store ptr %last, ptr %nextp                           ; CHECK: store ptr %last, ptr %nextp{{.*}} -> inactive
  %j = add nuw i64 %i, 1                                ; CHECK: %j = {{.*}} -> inactive
  %more = icmp ult i64 %j, %n                           ; CHECK: %more = {{.*}} -> inactive
  br i1 %more, label %build, label %walk
walk:
  %p = phi ptr [ %node, %build ], [ %q, %walk ]         ; CHECK: %p = {{.*}} -> inactive
  %s = phi double [ 1.0, %build ], [ %t, %walk ]        ; CHECK: %s = {{.*}} -> inactive
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> inactive
  %t = fmul double %s, %v                               ; CHECK: %t = {{.*}} -> inactive
  %np = getelementptr i8, ptr %p, i64 8                 ; CHECK: %np = {{.*}} -> inactive
  %q = load ptr, ptr %np                                ; CHECK: %q = {{.*}} -> inactive
  %end = icmp eq ptr %q, null                           ; CHECK: %end = {{.*}} -> inactive
  br i1 %end, label %exit, label %walk
exit:
  %r = fmul double %t, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define double @differentiate(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1)
  ret double %r
}

define double @differentiate_g(double %a0, double %a1, i64 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, double %a1, i64 %a2)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
