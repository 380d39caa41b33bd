; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function of which nothing is known writes whatever it may reach; one that
; promises not to does not.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr %x) {
  %m = call noalias ptr @malloc(i64 8)
  store double 2.0, ptr %m
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by call void @look(ptr %m){{.*}}
  %b = load double, ptr %m                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by call void @look(ptr %m){{.*}}
  call void @look(ptr %m)
  %r = fmul double %a, %b
  ret double %r
}
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr %x) {
  %m = call noalias ptr @malloc(i64 8)
  store double 2.0, ptr %m
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %b = load double, ptr %m                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  call void @promise(ptr %m)
  %r = fmul double %a, %b
  ret double %r
}
declare noalias ptr @malloc(i64)
declare void @look(ptr)
declare void @promise(ptr nocapture) memory(argmem: read, inaccessiblemem: readwrite)

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
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
