; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The tag enzyme_runtime_activity stands anywhere among the operands; the option holds for every
; marker; without either nothing is said.
; RUN: %adze-opt --stop-after=frontend %s | FileCheck %s
; RUN: %adze-opt --stop-after=frontend -adze-runtime-activity %s | FileCheck %s --check-prefix=ALL
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s --check-prefix=ACTIVITY

; CHECK-LABEL: in 'first'
; CHECK: reverse of 'f'
; CHECK: arg 0: ptr dup = %x, shadow %dx
; CHECK: activity of memory is seen at run time
; CHECK-LABEL: in 'last'
; CHECK: arg 0: ptr dup = %x, shadow %dx
; CHECK: activity of memory is seen at run time
; CHECK-LABEL: in 'without'
; CHECK-NOT: at run time
; ALL-COUNT-3: activity of memory is seen at run time

; ACTIVITY-LABEL: ; rev.f.d.ar
; ACTIVITY: ptr %x  -> shadow or self
; ACTIVITY: %p = load ptr, ptr %x, align 8  -> shadow or self
; ACTIVITY-LABEL: ; rev.f.d.a.
; ACTIVITY: ptr %x  -> shadow{{$}}
; ACTIVITY: %p = load ptr, ptr %x, align 8  -> shadow{{$}}

define double @f(ptr %x) {
  %p = load ptr, ptr %x
  %v = load double, ptr %p
  ret double %v
}

define void @first(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr @enzyme_runtime_activity, ptr %x, ptr %dx)
  ret void
}
define void @last(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr @enzyme_dup, ptr %x, ptr %dx, ptr @enzyme_runtime_activity)
  ret void
}
define void @without(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_dup = external global i32
@enzyme_runtime_activity = external global i32
