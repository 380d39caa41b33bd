; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A byval argument that the function changes is copied; one that is only read
; is read where it stands. Neither is byval any more.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s

declare void @__enzyme_autodiff(ptr, ...)

%mixed = type { double, float, i32, [3 x double] }

; CHECK-LABEL: define internal double @adze.primal.changes(
; CHECK-NOT: byval
; CHECK-SAME: {
; CHECK: %s.copy = alloca %mixed
; CHECK: load double, ptr %s,
; CHECK-NEXT: store double {{.*}}, ptr %s.copy,
; CHECK: load float,
; CHECK-NEXT: store float
; CHECK-NOT: memcpy
; CHECK: getelementptr %mixed, ptr %s.copy
; CHECK: store double 7.000000e+00
define double @changes(ptr byval(%mixed) %s, i64 %k) {
  %f = getelementptr %mixed, ptr %s, i64 0, i32 1
  %p = getelementptr %mixed, ptr %s, i64 0, i32 3, i64 %k
  store double 7.0, ptr %p
  %q = getelementptr %mixed, ptr %s, i64 0, i32 3, i64 1
  %v = load double, ptr %q
  %w = load float, ptr %f
  %x = fpext float %w to double
  %d = load double, ptr %s
  %r = fmul double %v, %d
  %t = fmul double %r, %x
  ret double %t
}

; CHECK-LABEL: define internal double @adze.primal.reads(
; CHECK-NOT: byval
; CHECK-SAME: {
; CHECK-NOT: alloca
; CHECK: ret double
define double @reads(ptr byval(%mixed) %s) memory(argmem: read) {
  %v = load double, ptr %s
  ret double %v
}

@enzyme_const = external global i32

define void @call(ptr %s) {
  %tag = load i32, ptr @enzyme_const
  call void (ptr, ...) @__enzyme_autodiff(ptr @changes, i32 %tag, ptr byval(%mixed) align 8 %s, i64 1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @reads, i32 %tag, ptr byval(%mixed) align 8 %s)
  ret void
}
