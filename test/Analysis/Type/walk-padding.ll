; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An address that moves by whole structures walks over an array of them, whose
; padding holds nothing. The address of a member may lie in a derived class,
; which may keep a float at the end of its base.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %walk: {[0]:Pointer -> {[*16]:Float@double, [8*16]:Integer(4)?, [12*16]:Anything(4)}}{{$}}
; CHECK-DAG:   %base: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(4)?}}{{$}}
; CHECK-DAG:   %derived: {[0]:Pointer -> {[0]:Float@double, [8]:Integer(4)?, [12]:Float@float}}{{$}}

%struct.Item = type { double, i32 }
define double @f(ptr %walk, ptr %base, ptr %derived, i64 %i) {
  %p = getelementptr inbounds %struct.Item, ptr %walk, i64 %i
  %a = load double, ptr %p
  %q = getelementptr inbounds %struct.Item, ptr %base, i64 0, i32 1
  %b = load double, ptr %base
  %r = getelementptr inbounds %struct.Item, ptr %derived, i64 0, i32 1
  %c = load double, ptr %derived
  %s = getelementptr inbounds i8, ptr %derived, i64 12
  %d = load float, ptr %s
  %w = fpext float %d to double
  %ab = fadd double %a, %b
  %cd = fadd double %c, %w
  %sum = fadd double %ab, %cd
  ret double %sum
}

define void @differentiate(ptr %a, ptr %da, ptr %b, ptr %db, ptr %c, ptr %dc, i64 %i) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, ptr %b, ptr %db, ptr %c, ptr %dc, i64 %i)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
