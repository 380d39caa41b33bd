// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task may not do: end when something else says so.
//
// RUN: not %clang -O0 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <omp.h>
void __enzyme_autodiff(void *, ...);

void event(double *x) {
  omp_event_handle_t done;
  // CHECK-DAG: error: cannot differentiate '__kmpc_task_allow_completion_event'
#pragma omp task detach(done)
  {
    x[0] *= x[1];
    omp_fulfill_event(done);
  }
#pragma omp taskwait
}
void gradients(double *x, double *dx) {
  __enzyme_autodiff((void *)event, x, dx);
}
