; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What others may change at any time never survives.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr noalias %x) {
  %a = load volatile double, ptr %x               ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten{{.*}}
  %b = load atomic double, ptr %x seq_cst, align 8 ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten{{.*}}
  %r = fmul double %a, %b
  ret double %r
}
; Plain reads of the same place.
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr noalias %x) {
  %p = getelementptr double, ptr %x, i64 1
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %b = load double, ptr %p                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %r = fmul double %a, %b
  ret double %r
}

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
