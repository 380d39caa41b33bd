; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An address as an integer, a distance, and an aligned address.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %y: {[0]:Pointer}{{$}}
; CHECK-DAG:   %out: {[0]:Pointer -> {[0]:Pointer -> {[0]:Float@double}}}{{$}}
; CHECK-DAG:   %xi: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %yi: {[0]:Pointer}{{$}}
; CHECK-DAG:   %distance: {[0]:Integer(8)}{{$}}
; CHECK-DAG:   %up: {[0]:Pointer~}{{$}}
; CHECK-DAG:   %aligned: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %a: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %back: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr %x, ptr %y, ptr %out) {
  %xi = ptrtoint ptr %x to i64
  %yi = ptrtoint ptr %y to i64
  %distance = sub i64 %yi, %xi
  %up = add i64 %xi, 63
  %aligned = and i64 %up, -64
  %a = inttoptr i64 %aligned to ptr
  %v = load double, ptr %a
  store i64 %xi, ptr %out
  %back = inttoptr i64 %xi to ptr
  %w = load double, ptr %back
  %d = sitofp i64 %distance to double
  %s = fadd double %v, %w
  %r = fadd double %s, %d
  ret double %r
}

define void @differentiate(ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0, ptr %a1, ptr %d1, ptr %a2, ptr %d2)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
