; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee copies a structure to a variable of its own and reads through the
; pointer in the copy: the caller must find that pointer's shadow.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %holder) {
; CHECK: ptr %holder -> shadow
  %m = alloca { ptr, i64 }                              ; CHECK: %m = {{.*}} -> shadow
  %p = load ptr, ptr %holder                            ; CHECK: %p = {{.*}} -> shadow
  store ptr %p, ptr %m                                  ; CHECK: store ptr %p, ptr %m{{.*}} -> takes part
  %step = getelementptr i8, ptr %m, i64 8
  store i64 2, ptr %step
  %r = call double @element(ptr %m)                     ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
define double @element(ptr %from) noinline {
  %copy = alloca { ptr, i64 }
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %from, i64 16, i1 false)
  %i = call i64 @step(ptr %copy)
  %q = load ptr, ptr %copy
  %at = getelementptr double, ptr %q, i64 %i
  %v = load double, ptr %at
  ret double %v
}
; Of this copy nobody reads through the pointer.
; CHECK-LABEL: activity of adze.primal.g
define double @g(double %x, ptr %holder) {
; CHECK: double %x -> active
; CHECK: ptr %holder -> shadow
  %m = alloca { ptr, i64 }                              ; CHECK: %m = {{.*}} -> inactive
  %p = load ptr, ptr %holder                            ; CHECK: %p = {{.*}} -> inactive
  store ptr %p, ptr %m                                  ; CHECK: store ptr %p, ptr %m{{.*}} -> inactive
  %step = getelementptr i8, ptr %m, i64 8
  store i64 2, ptr %step
  %n = call i64 @number(ptr %m)                         ; CHECK: %n = {{.*}} -> inactive
  %k = sitofp i64 %n to double                          ; CHECK: %k = {{.*}} -> inactive
  %r = fmul double %x, %k                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
}
define i64 @number(ptr %from) noinline {
  %copy = alloca { ptr, i64 }
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %from, i64 16, i1 false)
  %i = call i64 @step(ptr %copy)
  ret i64 %i
}
define i64 @step(ptr %m) noinline {
  %p = getelementptr i8, ptr %m, i64 8
  %s = load i64, ptr %p
  ret i64 %s
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

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
