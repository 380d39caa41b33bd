; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block copy reads its source and writes its target.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %b = load double, ptr %y                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by call void @llvm.memcpy.p0.p0.i64(ptr{{.*}}%y, ptr{{.*}}%x, i64 8, i1 false){{.*}}
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 8, i1 false)
  %r = fmul double %a, %b
  ret double %r
}
; The copy goes to the other half of %y.
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr noalias %x, ptr noalias %y) {
  %q = getelementptr inbounds i8, ptr %y, i64 8
  %b = load double, ptr %y                        ; CHECK: %b = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %x, i64 8, i1 false)
  %r = fmul double %b, %b
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1)
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
