; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The differentiated function returns a pointer: its shadow is asked for in
; forward mode, and so is all that the pointer leads to.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define ptr @f(double %x) {
; CHECK: double %x -> active
  %p = call noalias ptr @malloc(i64 16)                 ; CHECK: %p = {{.*}} -> shadow
  %q = getelementptr i8, ptr %p, i64 8                  ; CHECK: %q = {{.*}} -> shadow
  store double %x, ptr %q                               ; CHECK: store double %x, ptr %q{{.*}} -> takes part
  ret ptr %p                                            ; CHECK: ret ptr {{.*}} -> takes part
}
declare noalias ptr @malloc(i64)

define ptr @differentiate(double %a0, double %d0) {
  %r = call ptr (ptr, ...) @__enzyme_fwddiff_f(ptr @f, double %a0, double %d0)
  ret ptr %r
}
declare ptr @__enzyme_fwddiff_f(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
