; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure in registers with a pointer and a float: the pointer has a shadow,
; the float may be active, one without the other.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

define internal { ptr, double } @make(ptr %p, double %v) noinline {
  %a = insertvalue { ptr, double } poison, ptr %p, 0
  %b = insertvalue { ptr, double } %a, double %v, 1
  ret { ptr, double } %b
}
; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, double %c) {
; CHECK: ptr %x -> shadow
; CHECK: double %c -> inactive
  %s = call { ptr, double } @make(ptr %x, double %c)    ; CHECK: %s = {{.*}} -> shadow
  %p = extractvalue { ptr, double } %s, 0               ; CHECK: %p = {{.*}} -> shadow
  %k = extractvalue { ptr, double } %s, 1               ; CHECK: %k = {{.*}} -> inactive
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %c, double %x) {
; CHECK: ptr %c -> inactive
; CHECK: double %x -> active
  %s = call { ptr, double } @make(ptr %c, double %x)    ; CHECK: %s = {{.*}} -> active
  %p = extractvalue { ptr, double } %s, 0               ; CHECK: %p = {{.*}} -> inactive
  %v = extractvalue { ptr, double } %s, 1               ; CHECK: %v = {{.*}} -> active
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0, double %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, double %a1)
  ret void
}

define double @differentiate_g(ptr %a0, double %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr @enzyme_const, ptr %a0, double %a1)
  ret double %r
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
