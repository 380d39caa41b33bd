// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints around parallel regions: a step that runs again need not be the
// step that it was.
//
// RUN: not %clang -O0 -fopenmp -I%include %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fopenmp -I%include %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include "adze/adze.h"
void __enzyme_autodiff(void *, ...);

double steps(const double *x, int count) {
  double u[64], s = 0;
  for (int i = 0; i < 64; ++i)
    u[i] = x[i];
  for (int t = 0; t < count; ++t) {
    adze_checkpoint(4);
#pragma omp parallel for
    for (int i = 0; i < 64; ++i)
      u[i] = u[i] * u[i];
  }
  for (int i = 0; i < 64; ++i)
    s += u[i];
  return s;
}
void gradient(double *x, double *dx, int count) {
  __enzyme_autodiff((void *)steps, x, dx, count);
}
// CHECK: error: the loop with 'adze_checkpoint' cannot run an iteration more than once: it runs a parallel region, whose threads may come in another order when it runs again
