// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints in parallel regions: each thread would put back all of a state, and
// what other threads have written there with it.
//
// RUN: not %clang -O2 -fopenmp -I%include %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include "adze/adze.h"
void __enzyme_autodiff(void *, ...);
int omp_get_thread_num(void);

void parts(double *u, int n, int steps) {
#pragma omp parallel
  {
    double *mine = u + omp_get_thread_num();
    for (int s = 0; s < steps; ++s) {
      adze_checkpoint(3, u, n * sizeof(double));
      *mine = *mine * *mine;
    }
  }
}
void gradient(double *u, double *du, int n, int steps) {
  __enzyme_autodiff((void *)parts, u, du, n, steps);
}
// CHECK: error: no derivative rule for this in a parallel region: a loop with 'adze_checkpoint'
