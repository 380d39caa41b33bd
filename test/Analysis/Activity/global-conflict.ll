; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Active data through a global of another file.
; RUN: not %adze-opt --stop-after=activity %s 2>&1 | FileCheck --match-full-lines %s

; CHECK: error: in function 'f': active data reaches memory that was declared inactive: global variable 'far' of another file
; CHECK-NEXT: active data is stored there (in 'f')
; CHECK-NEXT: and read from there to an active result (in 'f')
; CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for in 'differentiate'
; CHECK-NEXT: to fix: {{.*}}
@far = external global double
define double @f(double %x) {
  store double %x, ptr @far
  %v = load double, ptr @far
  %r = fmul double %v, %v
  ret double %r
}

define double @differentiate(double %a0) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0)
  ret double %r
}
declare double @__enzyme_autodiff_f(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
