; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The constant buffer is filled in one callee and read in another: the message
; names the argument of the function that was asked for, and both places.
; RUN: not %adze-opt --stop-after=activity %s 2>&1 | FileCheck --match-full-lines %s

; CHECK: error: in function '{{.*}}': active data reaches memory that was declared inactive: argument 'buffer' of 'f'
; CHECK-NEXT: active data is stored there (in 'fill')
; CHECK-NEXT: and read from there to an active result (in 'look')
; CHECK: in the derivative that '__enzyme_autodiff' asks for in 'differentiate'
; CHECK-NOT: error
define internal void @fill(ptr %b, double %v) noinline {
  store double %v, ptr %b
  ret void
}
define internal double @look(ptr %b) noinline {
  %v = load double, ptr %b
  ret double %v
}
define double @f(double %x, ptr %buffer) {
  call void @fill(ptr %buffer, double %x)
  %r = call double @look(ptr %buffer)
  ret double %r
}
; Two buffers.
define double @g(double %x, ptr %a, ptr %b) {
  call void @fill(ptr %a, double %x)
  %k = call double @look(ptr %b)
  %r = fmul double %x, %k
  ret double %r
}

define double @differentiate(double %a0, ptr %a1) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, ptr %a1)
  ret double %r
}

define double @differentiate_g(double %a0, ptr %a1, ptr %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_g(ptr @g, double %a0, ptr @enzyme_const, ptr %a1, ptr @enzyme_const, ptr %a2)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare double @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
