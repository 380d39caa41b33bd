; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An inactive function that returns in memory writes to a variable of the call, of which the
; caller's memory gets a copy. Other functions write to the caller's memory.
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s

; CHECK-LABEL: define internal void @adze.primal.f(
; CHECK: %[[OWN:.*]] = alloca { double, i32 }
; CHECK: call void @inactive(ptr sret({ double, i32 }) %[[OWN]])
; CHECK-NEXT: load double, ptr %[[OWN]]
; CHECK-NEXT: store double {{.*}}, ptr %to
; CHECK: store i32
; CHECK: call void @active(ptr sret({ double, i32 }) %to)

declare void @inactive(ptr sret({ double, i32 })) "enzyme_inactive"
define void @active(ptr sret({ double, i32 }) %p) noinline {
  store double 1.0, ptr %p
  ret void
}
define void @f(ptr %to) {
  call void @inactive(ptr sret({ double, i32 }) %to)
  call void @active(ptr sret({ double, i32 }) %to)
  ret void
}

define void @differentiate(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
