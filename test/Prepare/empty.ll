; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; Functions that are one block, that do nothing, that never return.

define double @f(double %x) {
  ret double %x
}

define void @nothing() {
  ret void
}
define void @never(double %x) {
  unreachable
}
declare void @__enzyme_autodiff.void(ptr, ...)
define double @others(double %x) {
  call void (ptr, ...) @__enzyme_autodiff.void(ptr @nothing)
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @never, double %x)
  ret double %d
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}

; CHECK-LABEL: ; primal of @nothing
; CHECK: ret void
; CHECK-LABEL: ; primal of @never
; CHECK: unreachable
; CHECK: ; never returns from %0
; CHECK-LABEL: ; primal of @f
; CHECK: ret double %x
