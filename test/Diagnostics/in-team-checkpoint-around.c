// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints around parallel regions: what cannot run again there.
//
// RUN: not %clang -O0 -fopenmp -I%include %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fopenmp -I%include %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include "adze/adze.h"
void __enzyme_autodiff(void *, ...);
double omp_get_wtime(void);

// Which thread has which iterations may be another another time.
static double last;
#pragma omp threadprivate(last)
void kept(double *u, int count) {
  for (int t = 0; t < count; ++t) {
    adze_checkpoint(4);
#pragma omp parallel for
    for (int i = 0; i < 64; ++i) {
      last += u[i];
      u[i] = u[i] * last;
    }
  }
}
// CHECK-DAG: error: the loop with 'adze_checkpoint' cannot run an iteration more than once: it uses variables of threads in a parallel region

void clock(double *u, int count) {
  for (int t = 0; t < count; ++t) {
    adze_checkpoint(4);
#pragma omp parallel for
    for (int i = 0; i < 64; ++i)
      u[i] = u[i] * omp_get_wtime();
  }
}
// CHECK-DAG: error: the loop with 'adze_checkpoint' cannot run an iteration more than once: it calls 'omp_get_wtime', which may do something else when it is called again

void tasks(double *u, int count) {
  for (int t = 0; t < count; ++t) {
    adze_checkpoint(4);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 64; ++i) {
#pragma omp task firstprivate(i)
      u[i] = u[i] * u[i];
    }
  }
}
// CHECK-DAG: error: the loop with 'adze_checkpoint' cannot run an iteration more than once: it creates tasks in a parallel region

void gradients(double *u, double *du, int count) {
  __enzyme_autodiff((void *)kept, u, du, count);
  __enzyme_autodiff((void *)clock, u, du, count);
  __enzyme_autodiff((void *)tasks, u, du, count);
}
