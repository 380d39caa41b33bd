// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx -O2 -gline-tables-only -fopenmp %adze -Rpass-missed=adze -c %s -o /dev/null 2>&1 | FileCheck %s
// What is read through members that have no name.
template <class Body> static void forAll(int n, Body body) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    body(i);
}
double squares(const double *x, double *y, int n) {
  // CHECK: atomic-sums-unnamed.cpp:[[#@LINE+1]]:{{.*}} adds atomically to the adjoint of what is read here, because other threads may read the same
  forAll(n, [&](int i) { y[i] = x[i] * x[i]; });
  return y[0];
}
extern "C" void __enzyme_autodiff(void *, ...);
extern int enzyme_const;
void gradient(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)squares, x, dx, y, dy, enzyme_const, n);
}
