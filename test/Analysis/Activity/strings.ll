; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bytes that are copied and searched are no floats, even beside active data.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, ptr %name) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %name -> inactive
  %b = call noalias ptr @malloc(i64 32)                 ; CHECK: %b = {{.*}} -> inactive
  %c = call ptr @strcpy(ptr %b, ptr %name)              ; CHECK: %c = {{.*}} -> inactive
  %p = call ptr @strchr(ptr %c, i32 61)                 ; CHECK: %p = {{.*}} -> inactive
  %n = icmp eq ptr %p, null                             ; CHECK: %n = {{.*}} -> inactive
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  %r = select i1 %n, double %v, double 0.0              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; A buffer of the same size that holds a float.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x) {
; CHECK: ptr %x -> shadow
  %b = call noalias ptr @malloc(i64 32)                 ; CHECK: %b = {{.*}} -> shadow
  %v = load double, ptr %x                              ; CHECK: %v = {{.*}} -> active
  store double %v, ptr %b                               ; CHECK: store double %v, ptr %b{{.*}} -> takes part
  %r = load double, ptr %b                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare ptr @strcpy(ptr, ptr)
declare ptr @strchr(ptr, i32)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
