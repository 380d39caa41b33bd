// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region overwrites what it writes, and nothing else: not the indices of its
// caller, which the reverse pass reads again.
//
// RUN: %clang -O2 -fopenmp -gline-tables-only %adze -Rpass=adze -Rpass-missed=adze -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not='keeps the value loaded from argument 2'
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double norm(const double *x, int n) {
  double s = 0;
  double *square = malloc(n * sizeof(double));
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    square[i] = x[i] * x[i];
    s += square[i];
  }
  free(square);
  return s;
}
double sum(const double *x, const int *index, int n, int steps) {
  double e = 0;
  for (int t = 0; t < steps; ++t) {
    double a = 0;
    for (int i = 0; i < n; ++i)
      a += x[index[i]] * x[index[i]];
    e += a * norm(x, n);
  }
  return e;
}
// CHECK: the gradient of 'sum' computes again instead of keeping: {{.*}}the value loaded from argument 2 of 'sum'
void gradient(double *x, double *dx, const int *index, int n, int steps) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, index,
                    enzyme_const, n, enzyme_const, steps);
}
