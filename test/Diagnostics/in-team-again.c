// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A derivative with a parallel region is not differentiated again.
//
// RUN: not %clang -O0 -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);
double cubes(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return s;
}
void first(double *x, double *dx, int n) {
  // CHECK: error: no derivative rule for this instruction: a parallel region, in a derivative that is differentiated again
  __enzyme_autodiff((void *)cubes, x, dx, n);
}
void __enzyme_fwddiff(void *, ...);
void second(double *x, double *v, double *dx, double *dv, int n) {
  __enzyme_fwddiff((void *)first, x, v, dx, dv, n);
}
