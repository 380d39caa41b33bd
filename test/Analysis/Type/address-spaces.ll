; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer keeps what it points to through a change of its address space; a pointer of another
; space to other memory has nothing to do with it.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %shared: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %x: {[0]:Pointer}{{$}}
; CHECK-DAG:   %generic: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

; CHECK-LABEL: types of @g:
; CHECK-DAG:   %shared: {[0]:Pointer}{{$}}
; CHECK-DAG:   %x: {[0]:Pointer -> {[0]:Float@double}}{{$}}
; CHECK-DAG:   %bits: {}{{$}}
; CHECK-DAG:   return: {[0]:Float@double}{{$}}

define double @f(ptr addrspace(3) %shared, ptr %x) {
  %generic = addrspacecast ptr addrspace(3) %shared to ptr
  %v = load double, ptr %generic
  ret double %v
}
define double @g(ptr addrspace(3) %shared, ptr %x) {
  %v = load double, ptr %x
  %bits = load i64, ptr addrspace(3) %shared
  store i64 %bits, ptr addrspace(3) %shared
  ret double %v
}

define void @differentiate(ptr addrspace(3) %a0, ptr addrspace(3) %d0, ptr %a1, ptr %d1, ptr addrspace(3) %a2, ptr addrspace(3) %d2, ptr %a3, ptr %d3) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr addrspace(3) %a0, ptr addrspace(3) %d0, ptr %a1, ptr %d1)
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr addrspace(3) %a2, ptr addrspace(3) %d2, ptr %a3, ptr %d3)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
