; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Three requests with a conflict each: what is read before it is stored in the text
; is stored before it is read by the next iteration. How much memory that is nobody
; knows.
;
; RUN: not %adze-opt %s -o %t.ll 2>&1 | FileCheck %s

; CHECK: error: in function 'f': active data reaches memory that was declared inactive: argument 'w' of 'f'
; CHECK-NEXT: active data is stored there (in 'f')
; CHECK-NEXT: and read from there to an active result (in 'f')
; CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for in 'd'
; CHECK-NEXT: to fix: pass a shadow for it (enzyme_dup), or keep active data out of it
; CHECK: error: in function 'two': active data reaches memory that was declared inactive: argument 'w' of 'two'
; CHECK: error: in function 'nameless': active data reaches memory that was declared inactive: argument 2 of 'nameless'
; CHECK-NOT: error:
define double @f(ptr %x, ptr %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %w, i64 %i
  %old = load double, ptr %p
  %t = fadd double %s, %old
  %q = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %q
  %j = add nuw i64 %i, 1
  %k = load i64, ptr @place
  %pn = getelementptr double, ptr %w, i64 %k
  store double %v, ptr %pn
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %t
}
define double @two(ptr %x, ptr %w) {
  %v = load double, ptr %x
  %k = load i64, ptr @place
  %p = getelementptr double, ptr %w, i64 %k
  store double %v, ptr %p
  %old = load double, ptr %p
  ret double %old
}
define double @nameless(ptr %x, ptr %0) {
  %v = load double, ptr %x
  %k = load i64, ptr @place
  %p = getelementptr double, ptr %0, i64 %k
  store double %v, ptr %p
  %old = load double, ptr %p
  ret double %old
}
define double @d(ptr %x, ptr %dx, ptr %w, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, ptr %w, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @two, ptr %x, ptr %dx, ptr @enzyme_const, ptr %w)
  call void (ptr, ...) @__enzyme_autodiff(ptr @nameless, ptr %x, ptr %dx, ptr @enzyme_const, ptr %w)
  ret double 0.0
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@place = external global i64
