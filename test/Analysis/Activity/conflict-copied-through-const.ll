; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Active data copied as a block into constant memory and out of it, nobody knows where.
; RUN: not %adze-opt --stop-after=activity %s 2>&1 | FileCheck --match-full-lines %s

; CHECK: error: in function 'f': active data reaches memory that was declared inactive: argument 'buffer' of 'f'
; CHECK-NEXT: active data is stored there (in 'f')
; CHECK-NEXT: and read from there to an active result (in 'f')
; CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for in 'differentiate'
; CHECK-NEXT: to fix: {{.*}}
; CHECK-NOT: error
define double @f(ptr %x, ptr %buffer) {
  %m = call noalias ptr @malloc(i64 8)
  %k = load i64, ptr @place
  %p = getelementptr i8, ptr %buffer, i64 %k
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %x, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %p, i64 8, i1 false)
  %r = load double, ptr %m
  %s = fmul double %r, %r
  ret double %s
}
; Copied in, not out.
define double @g(ptr %x, ptr %buffer) {
  call void @llvm.memcpy.p0.p0.i64(ptr %buffer, ptr %x, i64 8, i1 false)
  %r = load double, ptr %x
  ret double %r
}
declare noalias ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

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
@place = external global i64
