; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A container whose data is active; its size is the difference of two pointers.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %vector) {
; CHECK: ptr %vector -> shadow
  %endp = getelementptr i8, ptr %vector, i64 8          ; CHECK: %endp = {{.*}} -> inactive
  %begin = load ptr, ptr %vector                        ; CHECK: %begin = {{.*}} -> shadow
  %end = load ptr, ptr %endp                            ; CHECK: %end = {{.*}} -> inactive
  %b = ptrtoint ptr %begin to i64                       ; CHECK: %b = {{.*}} -> inactive
  %e = ptrtoint ptr %end to i64                         ; CHECK: %e = {{.*}} -> inactive
  %bytes = sub i64 %e, %b                               ; CHECK: %bytes = {{.*}} -> inactive
  %size = ashr exact i64 %bytes, 3                      ; CHECK: %size = {{.*}} -> inactive
  %k = sitofp i64 %size to double                       ; CHECK: %k = {{.*}} -> inactive
  %v = load double, ptr %begin                          ; CHECK: %v = {{.*}} -> active
  %r = fmul double %v, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Only the size is used: no pointer's shadow is.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, ptr %vector) {
; CHECK: double %x -> active
; CHECK: ptr %vector -> shadow
  %endp = getelementptr i8, ptr %vector, i64 8          ; CHECK: %endp = {{.*}} -> inactive
  %begin = load ptr, ptr %vector                        ; CHECK: %begin = {{.*}} -> inactive
  %end = load ptr, ptr %endp                            ; CHECK: %end = {{.*}} -> inactive
  %b = ptrtoint ptr %begin to i64                       ; CHECK: %b = {{.*}} -> inactive
  %e = ptrtoint ptr %end to i64                         ; CHECK: %e = {{.*}} -> inactive
  %bytes = sub i64 %e, %b                               ; CHECK: %bytes = {{.*}} -> inactive
  %k = sitofp i64 %bytes to double                      ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %x, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
  ret void
}

define double @differentiate_g(double %a0, ptr %a1, ptr %d1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr %a1, ptr %d1)
  ret double %r
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
