; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Active data that passes through memory declared constant is an error with
; both places.
; RUN: not %adze-opt --stop-after=activity %s 2>&1 | FileCheck %s

; CHECK: error: in function 'f': active data reaches memory that was declared inactive: argument 'scratch' of 'f'
; CHECK-NEXT: active data is stored there (in 'f')
; CHECK-NEXT: and read from there to an active result (in 'f')
; CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for in 'differentiate'
; CHECK-NEXT: to fix: pass a shadow for it (enzyme_dup), or keep active data out of it

define double @f(double %x, ptr %scratch) {
  %k = load i64, ptr @place
  %p = getelementptr double, ptr %scratch, i64 %k
  store double %x, ptr %p
  %v = load double, ptr %p
  %r = fmul double %v, %v
  ret double %r
}

define double @differentiate(double %x, ptr %s) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_const, ptr %s)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
@place = external global i64
