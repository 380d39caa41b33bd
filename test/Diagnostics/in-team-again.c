// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient with a parallel region is differentiated again in forward mode, not
// in reverse mode: its threads have tapes that the region leaves behind.
//
// RUN: not %clang -O0 -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -fopenmp -DFORWARD %adze -c %s -o %t.o
// RUN: %clang -O2 -fopenmp -DFORWARD %adze -c %s -o %t.o
void __enzyme_autodiff(void *, ...);
double cubes(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return s;
}
void first(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)cubes, x, dx, n);
}
void __enzyme_fwddiff(void *, ...);
void second(double *x, double *v, double *dx, double *dv, int n) {
#ifdef FORWARD
  __enzyme_fwddiff((void *)first, x, v, dx, dv, n);
#else
  // CHECK: error: no derivative rule for this in a parallel region: a gradient that is differentiated again in reverse mode
  __enzyme_autodiff((void *)first, x, v, dx, dv, n);
#endif
}
