; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A callee that reads through one member of a structure and writes through another does the same in
; its caller: the constant memory behind the first is not written, and has no shadow. Where the
; callee's member is chosen at run time, it may be any.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s
; RUN: sed 's/i64 8$/i64 %%n/' %s | not %adze-opt --stop-after=activity 2>&1 | FileCheck %s --check-prefix=ANY

; CHECK-LABEL: activity of adze.primal.f
; CHECK: ptr %c  -> inactive
; CHECK: call void @run(ptr %v, i64 %n)  -> takes part
; ANY: error: in function 'run': active data reaches memory that was declared inactive: argument 'c' of 'f'

define void @run(ptr %v, i64 %n) {
  %in = load ptr, ptr %v
  %po = getelementptr i8, ptr %v, i64 8
  %out = load ptr, ptr %po
  %px = getelementptr i8, ptr %v, i64 16
  %x = load ptr, ptr %px
  %a = load double, ptr %in
  %b = load double, ptr %x
  %c = fmul double %a, %b
  store double %c, ptr %out
  ret void
}
define void @f(ptr %x, ptr %c, ptr %out, i64 %n) {
  %v = alloca [3 x ptr]
  store ptr %c, ptr %v
  %po = getelementptr i8, ptr %v, i64 8
  store ptr %out, ptr %po
  %px = getelementptr i8, ptr %v, i64 16
  store ptr %x, ptr %px
  call void @run(ptr %v, i64 %n)
  ret void
}
define void @differentiate(ptr %x, ptr %dx, ptr %c, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, ptr %c, ptr @enzyme_dup, ptr %x, ptr %dx, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
