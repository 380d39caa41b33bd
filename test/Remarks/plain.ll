; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; IR without lines: parameters have their names, or numbers, loops are counted.
;
; RUN: %opt -load %plugin -adze-max-alias-checks=0 -passes=adze -pass-remarks=adze -pass-remarks-missed=adze -pass-remarks-analysis=adze -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -load %plugin -adze-max-alias-checks=0 -passes=adze -pass-remarks-output=%t.yaml -disable-output %s
; RUN: FileCheck --check-prefix=RECORD --input-file=%t.yaml %s
; RUN: %opt -load %plugin -adze-max-alias-checks=0 -passes=adze -disable-output %s 2>&1 | count 0

; CHECK: remark: <unknown>:0:0: the gradient of 'named' keeps the value loaded from 'x': 8 bytes per iteration of loop 2, 8 * n * n in all; 'x' may be overwritten by the store to 'y'; to avoid this, declare 'y' restrict if it never overlaps 'x'
; CHECK: remark: <unknown>:0:0: the gradient of 'named' needs a tape of 8 * n * n bytes
; CHECK: remark: <unknown>:0:0: the gradient of 'numbered' keeps the value loaded from argument 1 of 'numbered': 8 bytes per iteration of loop 1, 8 * (argument 3 of 'numbered') in all; argument 1 of 'numbered' may be overwritten by the store to argument 2 of 'numbered'; to avoid this, declare argument 2 of 'numbered' restrict if it never overlaps argument 1 of 'numbered'
; RECORD: Name: Keep
; RECORD-NEXT: Function: named
; RECORD-NOT: DebugLoc

define double @named(ptr %x, ptr %y, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi double [ 0.0, %outer ], [ %s.next, %inner ]
  %px = getelementptr inbounds double, ptr %x, i64 %j
  %v = load double, ptr %px
  %vv = fmul double %v, %v
  %s.next = fadd double %s, %vv
  %py = getelementptr inbounds double, ptr %y, i64 %j
  store double %s.next, ptr %py
  %j.next = add nuw nsw i64 %j, 1
  %inner.done = icmp eq i64 %j.next, %n
  br i1 %inner.done, label %outer.latch, label %inner
outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %outer.done = icmp eq i64 %i.next, %n
  br i1 %outer.done, label %exit, label %outer
exit:
  ret double %s.next
}

define double @numbered(ptr %0, ptr %1, i64 %2) {
  br label %4
4:
  %5 = phi i64 [ 0, %3 ], [ %12, %4 ]
  %6 = phi double [ 0.0, %3 ], [ %10, %4 ]
  %7 = getelementptr inbounds double, ptr %0, i64 %5
  %8 = load double, ptr %7
  %9 = fmul double %8, %8
  %10 = fadd double %6, %9
  %11 = getelementptr inbounds double, ptr %1, i64 %5
  store double %10, ptr %11
  %12 = add nuw nsw i64 %5, 1
  %13 = icmp eq i64 %12, %2
  br i1 %13, label %14, label %4
14:
  ret double %10
}

declare void @__enzyme_autodiff(...)

define void @go(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @named, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @numbered, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
