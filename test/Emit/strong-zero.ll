; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Which products of a partial and an adjoint keep zero at zero (0 * inf = 0).
; By default those whose partial may be infinite although the program's values
; are finite on the path taken: slopes, and what may have been computed ahead
; of a condition.
;
; RUN: %adze-opt --stop-after=emit %s | FileCheck %s --check-prefixes=CHECK,SLOPES
; RUN: %adze-opt -adze-strong-zero=all --stop-after=emit %s | FileCheck %s --check-prefixes=CHECK,ALL
; RUN: %adze-opt -adze-strong-zero=none --stop-after=emit %s | FileCheck %s --check-prefixes=CHECK,NONE
declare double @__enzyme_autodiff(...)
declare double @llvm.sqrt.f64(double)
declare double @llvm.exp.f64(double)
declare double @llvm.sin.f64(double)
declare void @print(double) memory(inaccessiblemem: readwrite)

; A factor, a value of the program: returned, so the program computes it.
; CHECK-LABEL: define {{.*}} @adze.grad.product(
; SLOPES-NOT: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @product(double %x, double %y) {
  %p = fmul double %x, %y
  ret double %p
}

; The same where a choice follows: the program may have computed it under the
; choice's condition.
; CHECK-LABEL: define {{.*}} @adze.grad.chosen(
; SLOPES: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @chosen(double %x, double %y, i1 %c) {
  %p = fmul double %x, %y
  %r = select i1 %c, double %p, double 0.0
  ret double %r
}

; A use behind a condition shows nothing.
; CHECK-LABEL: define {{.*}} @adze.grad.behind(
; SLOPES: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @behind(double %x, double %y, i1 %c) {
entry:
  %p = fmul double %x, %y
  br i1 %c, label %then, label %end
then:
  %q = fadd double %p, 1.0
  br label %end
end:
  %r = phi double [ %q, %then ], [ 0.0, %entry ]
  ret double %r
}

; One behind a whole condition does, and so does a merge on both ways.
; CHECK-LABEL: define {{.*}} @adze.grad.joined(
; SLOPES-NOT: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @joined(double %x, double %y, i1 %c) {
entry:
  %p = fmul double %x, %y
  %q = fmul double %p, %y
  br i1 %c, label %then, label %end
then:
  call void @print(double 1.0)
  br label %end
end:
  %r = fmul double %q, %y
  ret double %r
}
; CHECK-LABEL: define {{.*}} @adze.grad.summed(
; SLOPES-NOT: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @summed(double %x, double %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = fmul double %x, %y
  %s.next = fadd double %s, %p
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %s.next
}

; Slopes of rules: of a root and of a quotient. An exponential may overflow, its
; own value is its slope. A cosine is finite.
; CHECK-LABEL: define {{.*}} @adze.grad.root(
; SLOPES: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @root(double %x) {
  %r = call double @llvm.sqrt.f64(double %x)
  ret double %r
}
; CHECK-LABEL: define {{.*}} @adze.grad.quotient(
; SLOPES: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @quotient(double %x, double %y) {
  %r = fdiv double %x, %y
  ret double %r
}
; CHECK-LABEL: define {{.*}} @adze.grad.growth(
; SLOPES: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @growth(double %x) {
  %r = call double @llvm.exp.f64(double %x)
  ret double %r
}
; CHECK-LABEL: define {{.*}} @adze.grad.wave(
; SLOPES-NOT: @adze.product
; ALL: @adze.product
; NONE-NOT: @adze.product
; CHECK: {{^}}}
define internal double @wave(double %x) {
  %r = call double @llvm.sin.f64(double %x)
  ret double %r
}

define void @all(double %x, double %y) {
  call double (...) @__enzyme_autodiff(ptr @product, double %x, double %y)
  call double (...) @__enzyme_autodiff(ptr @chosen, double %x, double %y, i1 true)
  call double (...) @__enzyme_autodiff(ptr @behind, double %x, double %y, i1 true)
  call double (...) @__enzyme_autodiff(ptr @joined, double %x, double %y, i1 true)
  call double (...) @__enzyme_autodiff(ptr @summed, double %x, double %y, i64 3)
  call double (...) @__enzyme_autodiff(ptr @root, double %x)
  call double (...) @__enzyme_autodiff(ptr @quotient, double %x, double %y)
  call double (...) @__enzyme_autodiff(ptr @growth, double %x)
  call double (...) @__enzyme_autodiff(ptr @wave, double %x)
  ret void
}
