// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a parallel region: bounds of loops are computed again from the
// number of the thread, and what threads share of a team call is its slot.
//
// RUN: %clang -O2 -fopenmp -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=plan %t.ll | FileCheck %s
void __enzyme_autodiff(void *, ...);
void scaled(const double *x, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] += x[i] * x[i];
}
void gradient(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)scaled, x, dx, y, dy, n);
}
// CHECK: plan of rev.scaled
// CHECK: { ptr, i64, i64 } for tape of call scaled.omp_outlined.region
// CHECK: plan of split.scaled.omp_outlined.region
// CHECK: call{{ .*}}keep in slot
// CHECK: load{{ .*}}recompute
