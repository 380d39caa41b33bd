; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nodes that lead to nodes by three pointers each: what is known of a node is told, and of those that it leads to, and no
; more. Told for each way through six pointers, it would be more than is kept of all that an object holds.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; CHECK-LABEL: types of @f:
; CHECK-DAG:   %o: {[0]:Pointer -> {[0]:Pointer -> {{.*}}, [8]:Pointer -> {[0]:Pointer, [8]:Pointer, [16]:Pointer, [24]:Float@double}, [16]:Pointer -> {[0]:Pointer, [8]:Pointer, [16]:Pointer, [24]:Float@double}, [24]:Float@double}, [8]:Float@double}}{{$}}

define double @f(ptr %o) {
  %root = load ptr, ptr %o
  %sum = call double @walk(ptr %root)
  %last = getelementptr i8, ptr %o, i64 8
  %v = load double, ptr %last
  %r = fadd double %sum, %v
  ret double %r
}
define double @walk(ptr %n) {
entry:
  %none = icmp eq ptr %n, null
  br i1 %none, label %exit, label %go
go:
  %left = load ptr, ptr %n
  %a = call double @walk(ptr %left)
  %rightAt = getelementptr i8, ptr %n, i64 8
  %right = load ptr, ptr %rightAt
  %b = call double @walk(ptr %right)
  %nextAt = getelementptr i8, ptr %n, i64 16
  %next = load ptr, ptr %nextAt
  %c = call double @walk(ptr %next)
  %at = getelementptr i8, ptr %n, i64 24
  %v = load double, ptr %at
  %s = fadd double %a, %b
  %t = fadd double %s, %c
  %u = fadd double %t, %v
  br label %exit
exit:
  %r = phi double [ 0.0, %entry ], [ %u, %go ]
  ret double %r
}
define void @differentiate(ptr %a0, ptr %d0) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a0, ptr %d0)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
