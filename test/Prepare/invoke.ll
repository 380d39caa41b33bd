; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; An invoke becomes a call; the handler is not part of a derivative.

define double @f(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %y = invoke double @g(double %x) to label %good unwind label %pad
good:
  %r = fmul double %y, %y
  ret double %r
pad:
  %l = landingpad { ptr, i32 } cleanup
  call void @cleanup()
  resume { ptr, i32 } %l
}
define double @g(double %x) noinline {
  %r = fmul double %x, 3.0
  ret double %r
}
declare void @cleanup()
declare i32 @__gxx_personality_v0(...)

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: define internal double @adze.primal.f(double %x) {
; CHECK: %y = call double @g(double %x)
; CHECK: ret double %r
; GONE-NOT: {{landingpad|personality}}
