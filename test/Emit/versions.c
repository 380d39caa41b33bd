// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays are compared where a version for arrays that are apart spares a tape:
// not in forward mode. Loops of the other version, and those that take them
// back, do not become larger than vector code.
//
// RUN: %clang -O1 %adze -S -emit-llvm %s -o - | FileCheck %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

__attribute__((noinline)) static void squares(const double *x, double *y,
                                              long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
// CHECK: define {{.*}}@adze.grad.squares(
// CHECK: icmp ule ptr
// CHECK: {{^}}}
// CHECK: define {{.*}}@adze.fwd.squares(
// CHECK-NOT: icmp ule ptr
// CHECK: {{^}}}
void gradient(double *x, double *dx, double *y, double *dy, long n) {
  __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, n);
}
void tangent(double *x, double *dx, double *y, double *dy, long n) {
  __enzyme_fwddiff((void *)squares, enzyme_dup, x, dx, enzyme_dup, y, dy,
                   enzyme_const, n);
}

// CHECK: [[ONCE:![0-9]+]] = !{!"llvm.loop.interleave.count", i32 1}
// CHECK: [[SMALL:![0-9]+]] = !{!"llvm.loop.unroll.runtime.disable"}
// CHECK: distinct !{!{{[0-9]+}}, {{.*}}[[ONCE]], [[SMALL]]}
