// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that threads of a gradient put off to free, in a file that has
// derivatives of gradients: nobody hands on the shadows of their lists.
//
// RUN: %clang -O0 -fopenmp %adze %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 -fopenmp %adze %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
#include <stdlib.h>
#include <stdio.h>
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
double f(const double *x, int n) {
  double *part[16], s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    part[i] = malloc(sizeof(double));
    *part[i] = x[i] * x[i] * x[i];
  }
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    s += *part[i];
    free(part[i]);
  }
  return s;
}
void first(double *x, double *dx, int n) { __enzyme_autodiff((void *)f, x, dx, n); }
int main(void) {
  double x[3] = {1, 2, 3}, v[3] = {1, 1, 1}, dx[3] = {0}, dv[3] = {0};
  __enzyme_fwddiff((void *)first, x, v, dx, dv, 3);
  printf("%g %g\n", dv[0], dv[2]);
}
// CHECK: adze: memory that leaves the function in which a thread of a parallel region allocates it is given back in a gradient of a file that has derivatives of gradients
