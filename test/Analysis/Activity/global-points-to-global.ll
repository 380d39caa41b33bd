; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant global that points to one in which active data is stored. Globals
; whose address stands in another global are taken for active.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@data = internal global double 0.0
@numbers = internal constant double 3.0
@handle = internal constant ptr @data
@other = internal constant ptr @numbers
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, ptr %t) {
; CHECK: double %x -> active
; CHECK: ptr %t -> inactive
  store double %x, ptr @data                            ; CHECK: store double %x, ptr @data{{.*}} -> takes part
  %h = load ptr, ptr %t                                 ; CHECK: %h = {{.*}} -> inactive
  %k = load double, ptr %h                              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; Through handles, the one of active data and the other of a constant.
define internal double @get(ptr %table) noinline {
  %p = load ptr, ptr %table
  %v = load double, ptr %p
  ret double %v
}
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x) {
; CHECK: double %x -> active
  store double %x, ptr @data                            ; CHECK: store double %x, ptr @data{{.*}} -> takes part
  %a = call double @get(ptr @handle)                    ; CHECK: %a = {{.*}} -> active
  %b = call double @get(ptr @other)                     ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NEXT: @data -> shadow
; CHECK-NEXT: @handle -> shadow
; CHECK-NOT: @other
}

define double @differentiate(double %a0, ptr %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, ptr %a1)
  ret double %r
}

define double @differentiate_g(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
