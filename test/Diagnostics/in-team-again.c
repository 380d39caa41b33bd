// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient with a section of one thread at a time is differentiated again in
// forward mode, not in reverse mode: nobody has kept in which order threads went
// through it on the way back.
//
// RUN: not %clang -O0 -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -fopenmp -DFORWARD %adze -c %s -o %t.o
// RUN: %clang -O2 -fopenmp -DFORWARD %adze -c %s -o %t.o
void __enzyme_autodiff(void *, ...);
double cubes(const double *x, int n) {
  double s = 1;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    s *= 1 + x[i] * x[i] * x[i];
  }
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
  // CHECK: error: no derivative rule for this in a parallel region: a gradient with sections of one thread at a time (critical, ordered, locks, atomic operations) that is differentiated again in reverse mode
  __enzyme_autodiff((void *)first, x, v, dx, dv, n);
#endif
}
