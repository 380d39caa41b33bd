; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; How calls are planned.
;
; RUN: %adze-opt --stop-after=plan %s | FileCheck %s

declare double @__enzyme_autodiff(ptr, ...)

define double @reads(ptr noalias %p, double %a) noinline {
  %v = load double, ptr %p
  %w = fmul double %v, %a
  ret double %w
}

; The memory that the callee reads is the same later: no tape.
; CHECK-LABEL: plan of rev.quiet.
; CHECK: calls
; CHECK-NEXT: %r: at reverse rev.reads.
define double @quiet(ptr %x, double %y) {
  %r = call double @reads(ptr %x, double %y)
  ret double %r
}

; It is overwritten: an augmented call, with a sub-tape in the caller's.
; CHECK-LABEL: plan of rev.loud.
; CHECK: tape of %r {{ *}}keep in slot [[T:[0-9]+]]
; CHECK: [[T]]: %adze.tape.reads for tape of %r
; CHECK: calls
; CHECK-NEXT: %r: split split.reads.{{.*}}, tape in place, reads shadow0 arg1
define double @loud(ptr %x, double %y) {
  %r = call double @reads(ptr %x, double %y)
  store double %r, ptr %x
  ret double %r
}

; A recursion reaches the tapes of its inner calls through pointers.
; CHECK-LABEL: plan of split.power.
; CHECK: ptr for tape of %r
; CHECK: tape by pointer
define double @power(double %x, i64 %n) {
entry:
  %stop = icmp eq i64 %n, 0
  br i1 %stop, label %done, label %more
more:
  %n.1 = add i64 %n, -1
  %r = call double @power(double %x, i64 %n.1)
  %s = fmul double %r, %x
  br label %done
done:
  %out = phi double [ 1.0, %entry ], [ %s, %more ]
  ret double %out
}

define void @calls(ptr %x, ptr %dx, double %y, i64 %n) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @quiet, ptr %x, ptr %dx, double %y)
  call double (ptr, ...) @__enzyme_autodiff(ptr @loud, ptr %x, ptr %dx, double %y)
  call double (ptr, ...) @__enzyme_autodiff(ptr @power, double %y, i64 %n)
  ret void
}
