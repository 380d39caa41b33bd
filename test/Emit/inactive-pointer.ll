; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a string allocates has no shadow: the pointer stands for itself in the
; shadow of the string, where a copy of its text looks for it. A pointer into an
; operand leads to the same place in the shadow of that, or is null as well.
; RUN: %adze-opt --stop-after=emit %s | FileCheck %s
declare void @__enzyme_fwddiff(...)
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr, ptr, i64)
declare ptr @strchr(ptr, i32)

; CHECK-LABEL: define internal void @adze.fwd.f(
; CHECK: %text = call ptr @_ZNSt
; CHECK: store ptr %text, ptr %s,
; CHECK-NEXT: store ptr %text, ptr %s.shadow,
; CHECK: %place = call ptr @strchr
; CHECK: %[[PLACE:.*]] = select i1 %{{.*}}, ptr null, ptr %{{.*}}
; CHECK: store ptr %[[PLACE]], ptr
define void @f(ptr %s, ptr %x) {
  %size = alloca i64
  store i64 20, ptr %size
  %text = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %size, i64 0)
  store ptr %text, ptr %s
  %place = call ptr @strchr(ptr %x, i32 1)
  %second = getelementptr i8, ptr %s, i64 8
  store ptr %place, ptr %second
  %v = load double, ptr %x
  %w = fmul double %v, %v
  %third = getelementptr i8, ptr %s, i64 16
  store double %w, ptr %third
  ret void
}

define void @g(ptr %s, ptr %ds, ptr %x, ptr %dx) {
  call void (...) @__enzyme_fwddiff(ptr @f, ptr %s, ptr %ds, ptr %x, ptr %dx)
  ret void
}
