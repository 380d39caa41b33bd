; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two floats in one integer, as calling conventions pass them; unpacked again.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define float @f(float %x, float %c) {
; CHECK: float %x -> active
; CHECK: float %c -> inactive
  %xi = bitcast float %x to i32                         ; CHECK: %xi = {{.*}} -> active
  %ci = bitcast float %c to i32                         ; CHECK: %ci = {{.*}} -> inactive
  %xw = zext i32 %xi to i64                             ; CHECK: %xw = {{.*}} -> active
  %cw = zext i32 %ci to i64                             ; CHECK: %cw = {{.*}} -> inactive
  %ch = shl i64 %cw, 32                                 ; CHECK: %ch = {{.*}} -> inactive
  %p = or i64 %xw, %ch                                  ; CHECK: %p = {{.*}} -> active
  %lo = trunc i64 %p to i32                             ; CHECK: %lo = {{.*}} -> active
  %r = bitcast i32 %lo to float                         ; CHECK: %r = {{.*}} -> active
  ret float %r                                          ; CHECK: ret float {{.*}} -> takes part
}
; Both halves are constant.
; CHECK-LABEL: activity of adze.primal.g
define float @g(float %x, float %c) {
; CHECK: float %x -> active
; CHECK: float %c -> inactive
  %ci = bitcast float %c to i32                         ; CHECK: %ci = {{.*}} -> inactive
  %cw = zext i32 %ci to i64                             ; CHECK: %cw = {{.*}} -> inactive
  %ch = shl i64 %cw, 32                                 ; CHECK: %ch = {{.*}} -> inactive
  %p = or i64 %cw, %ch                                  ; CHECK: %p = {{.*}} -> inactive
  %lo = trunc i64 %p to i32                             ; CHECK: %lo = {{.*}} -> inactive
  %k = bitcast i32 %lo to float                         ; CHECK: %k = {{.*}} -> inactive
  %r = fmul float %k, %x                                ; CHECK: %r = {{.*}} -> active
  ret float %r                                          ; CHECK: ret float {{.*}} -> takes part
}

define float @differentiate(float %a0, float %a1) {
  %r = call float (ptr, ...) @__enzyme_autodiff_f(ptr @f, float %a0, ptr @enzyme_const, float %a1)
  ret float %r
}

define float @differentiate_g(float %a0, float %a1) {
  %r = call float (ptr, ...) @__enzyme_autodiff_g(ptr @g, float %a0, ptr @enzyme_const, float %a1)
  ret float %r
}
declare float @__enzyme_autodiff_f(ptr, ...)
declare float @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
