; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls by the names of library functions, whose operands are not theirs: such a
; function is another one, of which nothing is known.
; RUN: not %adze-opt %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: cannot differentiate 'realloc', 'memcpy', 'memset', 'malloc', 'calloc', 'free', 'posix_memalign', 'strcpy': the body is not visible here
; CHECK-NOT: internal inconsistency

define double @reallocates(double %x, ptr %p) {
  call void @realloc(ptr %p)
  ret double %x
}
define double @copies(double %x, ptr %p) {
  call void @memcpy(ptr %p, i64 8)
  ret double %x
}
define double @fills(double %x, ptr %p) {
  call void @memset(double %x)
  ret double %x
}
define double @allocates(double %x, ptr %p) {
  %q = call ptr @malloc(ptr %p)
  %y = load double, ptr %q
  ret double %y
}
define double @counts(double %x, ptr %p) {
  %q = call ptr @calloc(double %x)
  %y = load double, ptr %q
  ret double %y
}
define double @releases(double %x, ptr %p) {
  call void @free(double %x)
  ret double %x
}
define double @allocatesTo(double %x, ptr %p) {
  %e = call i32 @posix_memalign(i64 8, ptr %p)
  ret double %x
}
define double @writes(double %x, ptr %p) {
  %q = call ptr @strcpy(ptr %p, double %x)
  %y = load double, ptr %q
  ret double %y
}

declare ptr @realloc(ptr, i64)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @posix_memalign(ptr, i64, i64)
declare ptr @strcpy(ptr, ptr)
declare double @__enzyme_autodiff(ptr, ...)

define void @gradients(double %x, ptr %p, ptr %d) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @reallocates, double %x, ptr %p, ptr %d)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @copies, double %x, ptr %p, ptr %d)
  %c = call double (ptr, ...) @__enzyme_autodiff(ptr @fills, double %x, ptr %p, ptr %d)
  %e = call double (ptr, ...) @__enzyme_autodiff(ptr @allocates, double %x, ptr %p, ptr %d)
  %f = call double (ptr, ...) @__enzyme_autodiff(ptr @counts, double %x, ptr %p, ptr %d)
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @releases, double %x, ptr %p, ptr %d)
  %h = call double (ptr, ...) @__enzyme_autodiff(ptr @allocatesTo, double %x, ptr %p, ptr %d)
  %i = call double (ptr, ...) @__enzyme_autodiff(ptr @writes, double %x, ptr %p, ptr %d)
  ret void
}
