; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The release of memory takes part where the memory has a shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, double %c) {
; CHECK: double %x -> active
; CHECK: double %c -> inactive
  %a = call noalias ptr @malloc(i64 8)                  ; CHECK: %a = {{.*}} -> shadow
  %b = call noalias ptr @malloc(i64 8)                  ; CHECK: %b = {{.*}} -> inactive
  store double %x, ptr %a                               ; CHECK: store double %x, ptr %a{{.*}} -> takes part
  store double %c, ptr %b                               ; CHECK: store double %c, ptr %b{{.*}} -> inactive
  %v = load double, ptr %a                              ; CHECK: %v = {{.*}} -> active
  %w = load double, ptr %b                              ; CHECK: %w = {{.*}} -> inactive
  call void @free(ptr %a)                               ; CHECK: call void @free(ptr %a){{.*}} -> takes part
  call void @free(ptr %b)                               ; CHECK: call void @free(ptr %b){{.*}} -> inactive
  %r = fmul double %v, %w                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)
declare void @free(ptr)

define double @differentiate(double %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
