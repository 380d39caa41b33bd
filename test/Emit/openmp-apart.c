// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the caller of a region knows of its arguments the shadows say, too: the
// loops of the reverse region count up, and a zero that is added to is never
// stored. (See loop-order.c: two shadows of which nothing is known.)
//
// RUN: %clang -O2 -fopenmp -mavx2 -fno-discard-value-names -fno-vectorize -fno-unroll-loops %adze -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);

// CHECK-LABEL: define {{.*}} @adze.rev.combine.omp_outlined
// CHECK-NOT: store double 0.0
// CHECK: phi i64 {{.*}}[ 0, %
// CHECK-NOT: store double 0.0
// CHECK: {{^}}}
static void combine(int n, double a, double *y, const double *x) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = a * y[i] + x[i];
}
static double f(const double *from, int n) {
  double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    x[i] = from[i] * from[i];
    y[i] = from[i];
  }
  combine(n, from[0], y, x);
  const double s = y[0] * y[n / 2];
  free(x);
  free(y);
  return s;
}
void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)f, x, dx, n);
}
