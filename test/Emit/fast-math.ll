; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A derivative may do what the primal may: the flags of an operation are those
; of the operations of its derivative. Beyond them only what is ours to choose:
; products and sums of adjoints are contracted, sums reordered. Less than that
; where a product keeps zero at zero: it is not regrouped, for outer derivatives
; must know it again.
;
; RUN: %adze-opt --stop-after=emit %s | FileCheck %s
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare double @llvm.sin.f64(double)
declare double @llvm.exp.f64(double)

; That there are no infinities and no NaN is promised of the primal's values, and
; not of duals and slopes. A factor of the primal needs no comparison with zero,
; a slope does.
; CHECK-LABEL: define {{.*}} @adze.fwd.quick(
; CHECK: fmul fast double %x, %y
; CHECK-NOT: @adze.product
; CHECK: fmul reassoc nsz arcp contract afn double %y, %x.shadow
; CHECK-NOT: @adze.product
; CHECK: fadd reassoc nsz arcp contract afn double
; CHECK-NOT: @adze.product
; CHECK: fdiv reassoc nsz arcp contract afn double 1.000000e+00, %y
; CHECK: call nsz arcp contract afn double @adze.product.double(
; CHECK-LABEL: define {{.*}} @adze.grad.quick(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: call reassoc nsz arcp contract afn double @llvm.cos.f64(
; CHECK-NOT: @adze.product
; CHECK: fdiv reassoc nsz arcp contract afn double 1.000000e+00, %y
; CHECK: call nsz arcp contract afn double @adze.product.double(
; CHECK: fmul reassoc nsz arcp contract afn double %y,
; CHECK-NOT: @adze.product
; CHECK: ret

; What may have been computed ahead of a condition is compared.
; CHECK-LABEL: define {{.*}} @adze.grad.chosen(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: call nsz arcp contract afn double @adze.product.double(
; CHECK: ret
define internal double @chosen(double %x, double %y, i1 %c) {
  %p = fmul fast double %x, %y
  %r = select i1 %c, double %p, double 0.0
  ret double %r
}

define internal double @quick(double %x, double %y) {
  %p = fmul fast double %x, %y
  %q = fdiv fast double %p, %y
  %s = call fast double @llvm.sin.f64(double %q)
  ret double %s
}

; Part of the flags.
; CHECK-LABEL: define {{.*}} @adze.grad.part(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: call nsz arcp contract double @adze.product.double(
; CHECK: ret
define internal double @part(double %x, double %y) {
  %p = fdiv reassoc nsz arcp double %x, %y
  ret double %p
}

; None.
; CHECK-LABEL: define {{.*}} @adze.grad.strict(
; CHECK: {{^}}rev.{{.*}}:
; CHECK-NOT: {{(fast|nnan|ninf|arcp|afn)}} 
; CHECK: call contract double @adze.product.double(
; CHECK-NOT: {{(fast|nnan|ninf|arcp|afn)}} 
; CHECK: ret
define internal double @strict(double %x, double %y) {
  %p = fmul double %x, %y
  %q = call double @llvm.exp.f64(double %p)
  ret double %q
}

define double @main_(double %x, double %y) {
  %a = call double (...) @__enzyme_fwddiff(ptr @quick, double %x, double 1.0, double %y, double 1.0)
  %b = call double (...) @__enzyme_autodiff(ptr @quick, double %x, metadata !"enzyme_const", double %y)
  %e = call double (...) @__enzyme_autodiff(ptr @chosen, double %x, metadata !"enzyme_const", double %y, i1 true)
  %c = call double (...) @__enzyme_autodiff(ptr @part, double %x, metadata !"enzyme_const", double %y)
  %d = call double (...) @__enzyme_autodiff(ptr @strict, double %x, metadata !"enzyme_const", double %y)
  ret double %d
}
