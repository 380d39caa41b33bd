; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A release is put off by the derivative and destroys nothing, nor does a
; reallocation: it is an allocation, a copy and a release by now.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(double %x) {
  %m = call noalias ptr @malloc(i64 8)
  store double %x, ptr %m
  %a = load double, ptr %m                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  call void @free(ptr %m)
  %r = fmul double %a, %a
  ret double %r
}
; CHECK-LABEL: memory of adze.primal.g
define double @g(double %x) {
  %m = call noalias ptr @malloc(i64 8)
  store double %x, ptr %m
  %a = load double, ptr %m                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %n = call ptr @realloc(ptr %m, i64 16)
  %p = getelementptr i8, ptr %n, i64 8
  store double %a, ptr %p
  %b = load double, ptr %n                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %r = fmul double %a, %b
  call void @free(ptr %n)
  ret double %r
}
; Not the release, but the next use of the block.
; CHECK-LABEL: memory of adze.primal.h
define double @h(double %x) {
  %m = call noalias ptr @malloc(i64 8)
  store double %x, ptr %m
  %a = load double, ptr %m                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double 0.000000e+00, ptr %m{{.*}}
  store double 0.0, ptr %m
  call void @free(ptr %m)
  %r = fmul double %a, %a
  ret double %r
}
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare ptr @realloc(ptr allocptr, i64) allockind("realloc") allocsize(1) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
  ret double %r
}

define double @differentiate_g(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0)
  ret double %r
}

define double @differentiate_h(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_h(ptr @h, double %a0)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
declare double @__enzyme_autodiff_h(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
