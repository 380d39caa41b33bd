; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer to active memory, kept in constant memory and read again.
; RUN: not %adze-opt --stop-after=activity %s 2>&1 | FileCheck --match-full-lines %s

; CHECK: error: in function 'f': active data reaches memory that was declared inactive: argument 'table' of 'f'
; CHECK-NEXT: active data is stored there (in 'f')
; CHECK-NEXT: and read from there to an active result (in 'f')
; CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for in 'differentiate'
; CHECK-NEXT: to fix: {{.*}}
; CHECK-NOT: error
define double @f(ptr %x, ptr %table) {
  store ptr %x, ptr %table
  %p = load ptr, ptr %table
  %v = load double, ptr %p
  ret double %v
}
; Kept there, and not read again.
define double @g(ptr %x, ptr %table) {
  store ptr %x, ptr %table
  %v = load double, ptr %x
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, ptr %a1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, ptr @enzyme_const, ptr %a1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
