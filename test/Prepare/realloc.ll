; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; realloc becomes malloc, memcpy and free. The old size is followed beside the
; pointer; where the pointer comes from memory the allocator is asked.

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %p = phi ptr [ null, %entry ], [ %q, %loop ]
  %bytes = shl i64 %i, 3
  %q = call ptr @realloc(ptr %p, i64 %bytes)
  %last = getelementptr double, ptr %q, i64 %i
  %at = getelementptr double, ptr %last, i64 -1
  store double %x, ptr %at, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = load double, ptr %q, align 8
  call void @free(ptr %q)
  ret double %r
}
define double @g(ptr %box, i64 %n) {
  %old = load ptr, ptr %box, align 8
  %new = call ptr @realloc(ptr %old, i64 %n)
  store ptr %new, ptr %box, align 8
  %r = load double, ptr %new, align 8
  ret double %r
}
declare void @__enzyme_autodiff.g(ptr, ...)
define void @other(ptr %box, ptr %dbox, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff.g(ptr @g, ptr %box, ptr %dbox, i64 %n)
  ret void
}
declare ptr @realloc(ptr, i64)
declare void @free(ptr)

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @g
; CHECK: %adze.size = call i64 @malloc_usable_size(ptr %old)
; CHECK: %new = call noalias ptr @malloc(i64 %n)
; CHECK: %1 = call i64 @llvm.umin.i64(i64 %adze.size, i64 %n)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %1, i1 false)
; CHECK: call void @free(ptr %old)
; CHECK-LABEL: ; primal of @f
; CHECK: %adze.size = mul i64 %adze.counter, 8
; CHECK: %i = add nuw nsw i64 1, %adze.counter
; CHECK: %q = call noalias ptr @malloc(i64 %bytes)
; CHECK: %1 = call i64 @llvm.umin.i64(i64 %adze.size, i64 %bytes)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %1, i1 false)
; CHECK: call void @free(ptr %p)
; CHECK: call void @free(ptr %q.lcssa)
; CHECK: ; loop %loop depth 1: counter %adze.counter, last iteration %0, bound %0, exit %loop -> %exit
; CHECK-NEXT: ; exit %exit: leaves %loop in iteration %0
; GONE-NOT: {{call ptr @realloc}}
