; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pointers in a vector, and the memory behind them.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x, i64 %i) {
; CHECK: ptr %x -> shadow
; CHECK: i64 %i -> inactive
  %v0 = insertelement <2 x ptr> poison, ptr %x, i64 0   ; CHECK: %v0 = {{.*}} -> shadow
  %v = insertelement <2 x ptr> %v0, ptr %x, i64 1       ; CHECK: %v = {{.*}} -> shadow
  %p = extractelement <2 x ptr> %v, i64 %i              ; CHECK: %p = {{.*}} -> shadow
  %r = load double, ptr %p                              ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, ptr %c, i64 %i) {
; CHECK: ptr %x -> shadow
; CHECK: ptr %c -> inactive
; CHECK: i64 %i -> inactive
  %v0 = insertelement <2 x ptr> poison, ptr %c, i64 0   ; CHECK: %v0 = {{.*}} -> inactive
  %v = insertelement <2 x ptr> %v0, ptr %c, i64 1       ; CHECK: %v = {{.*}} -> inactive
  %p = extractelement <2 x ptr> %v, i64 %i              ; CHECK: %p = {{.*}} -> inactive
  %k = load double, ptr %p                              ; CHECK: %k = {{.*}} -> inactive
  %a = load double, ptr %x                              ; CHECK: %a = {{.*}} -> active
  %r = fmul double %k, %a                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}

define void @differentiate(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, i64 %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1, i64 %a2) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1, i64 %a2)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
