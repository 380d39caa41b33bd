; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A global that holds a pointer: to memory of this run (or what was there
; before, hence "plain"), and one that only other code has set.
; RUN: %adze-opt --stop-after=activity %s | FileCheck --match-full-lines %s

@mine = internal global ptr null
@others = internal global ptr null
; CHECK-LABEL: activity of adze.primal.f
define double @f(ptr %x) {
; CHECK: ptr %x -> shadow
  store ptr %x, ptr @mine                               ; CHECK: store ptr %x, ptr @mine{{.*}} -> takes part
  %p = load ptr, ptr @mine                              ; CHECK: %p = {{.*}} -> shadow or self
  %q = load ptr, ptr @others                            ; CHECK: %q = {{.*}} -> inactive
  %a = load double, ptr %p                              ; CHECK: %a = {{.*}} -> active
  %b = load double, ptr %q                              ; CHECK: %b = {{.*}} -> inactive
  %r = fmul double %a, %b                               ; CHECK: %r = {{.*}} -> active
  ret double %r                                         ; CHECK: ret double {{.*}} -> takes part
; CHECK-NEXT: @mine -> shadow
; CHECK-NOT: @others
}
; Not differentiated: what is done here is constant for derivatives.
define void @init(ptr %data) {
  store ptr %data, ptr @others
  ret void
}

define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
