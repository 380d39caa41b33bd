; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer to active or to constant memory has a shadow that may be the pointer itself ("plain").
; Memory that can have a shadow gets one instead, and what leads to constant memory alone has none.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

@elsewhere = external global [2 x double]
declare noalias ptr @malloc(i64)

; CHECK-LABEL: activity of adze.primal.merges
; CHECK: ptr %x  -> shadow{{$}}
; CHECK: ptr %c  -> inactive
; CHECK: %l = call noalias ptr @malloc(i64 8)  -> shadow{{$}}
; CHECK: %p = select i1 %t, ptr %x, ptr %c  -> shadow or self
; CHECK: %g = getelementptr i8, ptr %p, i64 8  -> shadow or self
; CHECK: %u = load double, ptr %g, align 8  -> active
; CHECK: %q = select i1 %t, ptr %x, ptr %l  -> shadow{{$}}
; CHECK: %o = select i1 %t, ptr %c, ptr @elsewhere  -> inactive
; CHECK: %e = select i1 %t, ptr %x, ptr @elsewhere  -> shadow or self
define double @merges(ptr %x, ptr %c, i1 %t) {
  %l = call noalias ptr @malloc(i64 8)
  store double 1.0, ptr %l
  %p = select i1 %t, ptr %x, ptr %c
  %g = getelementptr i8, ptr %p, i64 8
  %u = load double, ptr %g
  %q = select i1 %t, ptr %x, ptr %l
  %v = load double, ptr %q
  %o = select i1 %t, ptr %c, ptr @elsewhere
  %w = load double, ptr %o
  %e = select i1 %t, ptr %x, ptr @elsewhere
  %z = load double, ptr %e
  %uv = fmul double %u, %v
  %wz = fmul double %w, %z
  %r = fadd double %uv, %wz
  ret double %r
}

; A constant buffer stored to active memory is found there again.
; CHECK-LABEL: activity of adze.primal.stored
; CHECK: store ptr %c, ptr %s, align 8  -> takes part
; CHECK: %p = load ptr, ptr %s, align 8  -> shadow or self
define double @stored(ptr %s, ptr %c) {
  store ptr %c, ptr %s
  %p = load ptr, ptr %s
  %v = load double, ptr %p
  ret double %v
}

; Nothing that is stored there is self-shadowed.
; CHECK-LABEL: activity of adze.primal.loaded
; CHECK: %b = load ptr, ptr %a, align 8  -> shadow{{$}}
define double @loaded(ptr %a, ptr %c) {
  %b = load ptr, ptr %a
  %v = load double, ptr %b
  %w = load double, ptr %c
  %r = fmul double %v, %w
  ret double %r
}

define void @differentiate(ptr %x, ptr %dx, ptr %c, i1 %t) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @merges, ptr %x, ptr %dx, ptr @enzyme_const, ptr %c, i1 %t)
  call void (ptr, ...) @__enzyme_autodiff(ptr @stored, ptr %x, ptr %dx, ptr @enzyme_const, ptr %c)
  call void (ptr, ...) @__enzyme_autodiff(ptr @loaded, ptr %x, ptr %dx, ptr @enzyme_const, ptr %c)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
