; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reading through a pointer to active or to constant memory is fine; active data that is written
; through it may be in the constant memory when it is read again.
; RUN: not %adze-opt --stop-after=activity %s 2>&1 | FileCheck %s

; CHECK: error: in function 'f': active data reaches memory that was declared inactive: argument 'c' of 'f'
; CHECK-NEXT: active data is stored there (in 'f')
; CHECK-NEXT: and read from there to an active result (in 'f')
; CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for in 'differentiate'
; CHECK-NEXT: to fix: pass a shadow for it (enzyme_dup), or keep active data out of it

define double @f(ptr %x, ptr %c, i1 %t) {
  %p = select i1 %t, ptr %x, ptr %c
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %p
  %r = load double, ptr %p
  ret double %r
}

define void @differentiate(ptr %x, ptr %dx, ptr %c, i1 %t) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, ptr %c, i1 %t)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
