; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=activity-pointers %s 2>&1 | FileCheck %s
;
; A matrix is copied by a function that knows its elements by their size alone,
; as copy constructors do. Its caller knows that they are doubles, and so that
; the copy holds no pointers into the matrix, which is constant: what another
; function writes through the copy stays there.

%matrix = type { ptr, i64 }

declare ptr @malloc(i64)
declare void @__enzyme_autodiff(...)

define void @copy(ptr %to, ptr %from) noinline {
  %n = getelementptr %matrix, ptr %from, i64 0, i32 1
  %count = load i64, ptr %n
  %bytes = shl i64 %count, 3
  %p = call ptr @malloc(i64 %bytes)
  %e = load ptr, ptr %from
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %e, i64 %bytes, i1 false)
  store ptr %p, ptr %to
  %m = getelementptr %matrix, ptr %to, i64 0, i32 1
  store i64 %count, ptr %m
  ret void
}

define void @add(ptr %to, ptr %x, i64 %i) noinline {
  %all = load ptr, ptr %to
  %p = getelementptr double, ptr %all, i64 %i
  %e = load double, ptr %p
  %v = load double, ptr %x
  %s = fadd double %e, %v
  store double %s, ptr %p
  ret void
}

; CHECK-LABEL: shadows of adze.primal.f
; CHECK: ptr %x -> shadow
; CHECK: ptr %constant -> no shadow
; CHECK: %h = alloca %matrix{{.*}} -> shadow
define double @f(ptr %x, ptr %constant, i64 %i) {
  %h = alloca %matrix
  call void @copy(ptr %h, ptr %constant)
  call void @add(ptr %h, ptr %x, i64 %i)
  %p = load ptr, ptr %h
  %first = load double, ptr %p
  %second = getelementptr double, ptr %p, i64 %i
  %other = load double, ptr %second
  %r = fmul double %first, %other
  ret double %r
}

define void @d(ptr %x, ptr %dx, ptr %c, i64 %i) {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %x, ptr %dx, metadata !"enzyme_const", ptr %c, i64 %i)
  ret void
}
