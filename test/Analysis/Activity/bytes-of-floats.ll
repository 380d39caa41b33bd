; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bytes of an array of doubles that are copied one by one are active; bytes of a
; text are not. (Volatile: else the loops would be block copies.)
; RUN: %adze-opt --stop-after=activity %s 2>&1 | FileCheck %s

; CHECK: activity of adze.primal.copy
; CHECK: load i8, ptr %from{{.*}} -> active
; CHECK: activity of adze.primal.names
; CHECK: load i8, ptr %from{{.*}} -> inactive

define double @copy(ptr %x, i64 %n) {
entry:
  %a = alloca [4 x double]
  %b = alloca [4 x double]
  %v = load double, ptr %x
  store double %v, ptr %a
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %a, i64 %i
  %to = getelementptr i8, ptr %b, i64 %i
  %byte = load i8, ptr %from
  store volatile i8 %byte, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = load double, ptr %b
  ret double %r
}

define double @names(ptr %x, ptr %name, i64 %n) {
entry:
  %copy = alloca [32 x i8]
  %v = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %name, i64 %i
  %to = getelementptr i8, ptr %copy, i64 %i
  %byte = load i8, ptr %from
  store volatile i8 %byte, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void @puts(ptr %copy)
  ret double %v
}
declare void @puts(ptr)

define void @doubles(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @copy, ptr %x, ptr %dx, i64 %n)
  ret void
}
define void @text(ptr %x, ptr %dx, ptr %name, ptr %dname, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @names, ptr %x, ptr %dx, ptr %name, ptr %dname, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
