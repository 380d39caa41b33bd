; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory that the function has allocated itself is not what arguments lead to.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr %x) {
  %m = call noalias ptr @malloc(i64 8)
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  store double %a, ptr %m
  %b = load double, ptr %m                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %r = fmul double %a, %b
  ret double %r
}
; Memory that came from somewhere.
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr %x, ptr %t) {
  %m = load ptr, ptr %t                           ; CHECK: %m = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double %a, ptr %m{{.*}}
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double %a, ptr %m{{.*}}
  store double %a, ptr %m
  %b = load double, ptr %m                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %r = fmul double %a, %b
  ret double %r
}
declare noalias ptr @malloc(i64)

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
