; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant table has no shadow, however it is indexed.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@table = internal constant [4 x double] [double 1.0, double 2.0, double 3.0, double 4.0]
@state = internal global [4 x double] zeroinitializer
; CHECK-LABEL: activity of adze.primal.f
define double @f(double %x, i64 %i) {
; CHECK: double %x -> active
; CHECK: i64 %i -> inactive
  %p = getelementptr double, ptr @table, i64 %i         ; CHECK: %p = {{.*}} -> inactive
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NOT: @table
}
; A pointer that may lead to it or to active memory: the table gets zeros.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, i64 %i, i1 %t) {
; CHECK: double %x -> active
; CHECK: i64 %i -> inactive
; CHECK: i1 %t -> inactive
  store double %x, ptr @state                           ; CHECK: store double %x, ptr @state{{.*}} -> takes part
  %b = select i1 %t, ptr @table, ptr @state             ; CHECK: %b = {{.*}} -> shadow
  %p = getelementptr double, ptr %b, i64 %i             ; CHECK: %p = {{.*}} -> shadow
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> active
  %r = fmul double %k, %x                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK: @table -> shadow
; CHECK-NEXT: @state -> shadow
}

define double @differentiate(double %a0, i64 %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, i64 %a1)
  ret double %r
}

define double @differentiate_g(double %a0, i64 %a1, i1 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, i64 %a1, i1 %a2)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
