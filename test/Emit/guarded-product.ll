; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product that keeps zero at zero is no branch to an outer derivative.
; RUN: %clang -w -O0 %adze %s -o %t && %t | FileCheck %s
; RUN: %clang -w -O2 %adze %s -o %t && %t | FileCheck %s
@text = constant [7 x i8] c"%g %g\0A\00"
declare i32 @printf(ptr, ...)
declare { double, double } @__enzyme_autodiff(ptr, double, double, i32)
declare { double, double } @__enzyme_autodiff_inner(ptr, double, double)
declare double @__enzyme_fwddiff(ptr, double, double)

; Compiled before: -p e i, zero where e is. Before the loop stands -e, and e is
; named by nothing in the loop.
define double @before(double %p, double %d, i32 %n) {
entry:
  %e = fadd double %d, %d
  %minus = fneg double %e
  %zero = fcmp ueq double %e, 0.0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %k = sitofp i32 %i to double
  %q = fmul double %p, %k
  %m = fmul double %q, %minus
  %g = select i1 %zero, double %minus, double %m
  %t = fadd double %s, %g
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret double %t
}

; Of two flags: the adjoint of %m is no NaN, its product with %z may be one. The
; optimizer made of the choice a factor, d * (d == 0 ? 1 : z).
define double @square(double %y, double %z) {
  %m = fmul double %y, %z
  %q = fmul nnan double %m, %m
  ret double %q
}
define double @slope(double %y) {
  %g = call { double, double } @__enzyme_autodiff_inner(ptr @square, double %y, double 3.0)
  %r = extractvalue { double, double } %g, 0
  ret double %r
}

define i32 @main() {
  %a = call { double, double } @__enzyme_autodiff(ptr @before, double 0.5, double 2.0, i32 4)
  %ap = extractvalue { double, double } %a, 0
  %ad = extractvalue { double, double } %a, 1
  ; CHECK: -24 -6
  call i32 (ptr, ...) @printf(ptr @text, double %ap, double %ad)
  %z = call { double, double } @__enzyme_autodiff(ptr @before, double 0.5, double 0.0, i32 4)
  %zp = extractvalue { double, double } %z, 0
  %zd = extractvalue { double, double } %z, 1
  ; CHECK-NEXT: 0 -6
  call i32 (ptr, ...) @printf(ptr @text, double %zp, double %zd)
  ; CHECK-NEXT: 18 18
  %b = call double @__enzyme_fwddiff(ptr @slope, double 0.0, double 1.0)
  call i32 (ptr, ...) @printf(ptr @text, double %b, double %b)
  ret i32 0
}
