; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A buffer of bytes that a float's bits pass through.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@bytes = internal global [8 x i8] zeroinitializer
@counter = internal global i64 0
; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x) {
; CHECK: ptr %x -> shadow
  %i = load i64, ptr %x                                 ; CHECK: %i = {{.*}} -> active
  store i64 %i, ptr @bytes                              ; CHECK: store i64 %i, ptr @bytes{{.*}} -> takes part
  %v = load double, ptr @bytes                          ; CHECK: %v = {{.*}} -> active
  %r = fmul double %v, %v                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NEXT: @bytes -> shadow
}
; Numbers in a variable for numbers.
; CHECK-LABEL: activity of adze.primal.g
define double @g(ptr %x, i64 %i) {
; CHECK: ptr %x -> shadow
; CHECK: i64 %i -> inactive
  %n = load i64, ptr @counter                           ; CHECK: %n = {{.*}} -> inactive
  %m = add i64 %n, %i                                   ; CHECK: %m = {{.*}} -> inactive
  store i64 %m, ptr @counter                            ; CHECK: store i64 %m, ptr @counter{{.*}} -> inactive
  %p = getelementptr double, ptr %x, i64 %m             ; CHECK: %p = {{.*}} -> shadow
  %v = load double, ptr %p                              ; CHECK: %v = {{.*}} -> active
  ret double %v                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NOT: @counter
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
