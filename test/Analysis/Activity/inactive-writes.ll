; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A body that is declared inactive and stores floats to memory with a shadow is refused; so is
; one that stores pointers, or calls such a function. Integers are fine.
; RUN: sed 's/CALLED/floats/' %s | not %adze-opt --stop-after=activity - 2>&1 | FileCheck %s
; RUN: sed 's/CALLED/pointers/' %s | not %adze-opt --stop-after=activity - 2>&1 | FileCheck %s
; RUN: sed 's/CALLED/inner/' %s | not %adze-opt --stop-after=activity - 2>&1 | FileCheck %s
; RUN: sed 's/CALLED/numbers/' %s | %adze-opt --stop-after=activity - | FileCheck %s --check-prefix=FINE
; RUN: sed 's/CALLED/unseen/' %s | %adze-opt --stop-after=activity - | FileCheck %s --check-prefix=FINE
; RUN: sed 's/CALLED/own/' %s | %adze-opt --stop-after=activity - | FileCheck %s --check-prefix=FINE

; CHECK: memory that has a shadow may be overwritten without its derivative, through the inactive function
; FINE: call void @{{.*}}(ptr %p)  -> inactive

define void @floats(ptr %p) noinline "enzyme_inactive" {
  store double 0.0, ptr %p
  ret void
}
define void @pointers(ptr %p) noinline "enzyme_inactive" {
  store ptr %p, ptr %p
  ret void
}
define void @plain(ptr %p) noinline {
  store double 1.0, ptr %p
  ret void
}
define void @inner(ptr %p) noinline "enzyme_inactive" {
  call void @plain(ptr %p)
  ret void
}
define void @numbers(ptr %p) noinline "enzyme_inactive" {
  %q = getelementptr i8, ptr %p, i64 8
  %n = load i32, ptr %q
  %m = mul i32 %n, 3
  store i32 %m, ptr %q
  ret void
}
define void @unseen(ptr %p) noinline "enzyme_inactive" {
  call void @outside(ptr %p)
  ret void
}
define void @own(ptr %p) noinline "enzyme_inactive" {
  %a = alloca double
  %v = load double, ptr %p
  store double %v, ptr %a
  call void @plain(ptr %a)
  ret void
}
declare void @outside(ptr)
define double @f(double %x, ptr %p) {
  call void @CALLED(ptr %p)
  %v = load double, ptr %p
  %r = fmul double %v, %x
  ret double %r
}
define double @differentiate(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %dp)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
