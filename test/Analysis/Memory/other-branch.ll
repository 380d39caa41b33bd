; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A write on a branch that does not follow the read.
; RUN: %adze-opt --stop-after=memory %s | FileCheck --match-full-lines %s

; CHECK-LABEL: memory of adze.primal.f
define double @f(ptr noalias %x, i1 %t) {
entry:
  br i1 %t, label %read, label %write
read:
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> survives
  %m = fmul double %a, %a
  br label %exit
write:
  store double 2.0, ptr %x
  br label %exit
exit:
  %r = phi double [ %m, %read ], [ 1.0, %write ]
  ret double %r
}
; A loop around both.
; CHECK-LABEL: memory of adze.primal.g
define double @g(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %s = phi double [ 0.0, %entry ], [ %u, %latch ]
  %odd = and i64 %i, 1
  %t = icmp eq i64 %odd, 0
  br i1 %t, label %read, label %write
read:
  %a = load double, ptr %x                        ; CHECK: %a = {{.*}}
                                                  ; CHECK-NEXT: -> overwritten by store double %s, ptr %x{{.*}}
  %m = fmul double %a, %a
  br label %latch
write:
  store double %s, ptr %x
  br label %latch
latch:
  %r = phi double [ %m, %read ], [ 1.0, %write ]
  %u = fadd double %s, %r
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %u
}

define void @differentiate(ptr %a0, ptr %d0, i1 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_f(ptr @f, ptr %a0, ptr %d0, i1 %a1)
  ret void
}

define void @differentiate_g(ptr %a0, ptr %d0, i64 %a1) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, i64 %a1)
  ret void
}
declare void @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
