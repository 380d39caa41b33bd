// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A construct that is really cancelled: derivatives stop where they come to it.
//
// RUN: %clang -O0 -fopenmp %adze %s -o %t
// RUN: %t | FileCheck %s --check-prefix=NOT
// RUN: not --crash env OMP_CANCELLATION=true %t 2>&1 | FileCheck %s
// RUN: not --crash env OMP_CANCELLATION=true %t 1 2>&1 | FileCheck %s
// RUN: %clang -O2 -fopenmp %adze %s -o %t
// RUN: %t | FileCheck %s --check-prefix=NOT
// RUN: not --crash env OMP_CANCELLATION=true %t 2>&1 | FileCheck %s
// RUN: not --crash env OMP_CANCELLATION=true %t 1 2>&1 | FileCheck %s
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double loop(double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
  for (int i = 0; i < 4; ++i) {
    s += x[i] * x[i];
#pragma omp cancel for if (i == 1)
  }
  return s;
}

int main(int count, char **arguments) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  if (count > 1)
    dx[3] = __enzyme_fwddiff((void *)loop, x, x);
  else
    __enzyme_autodiff((void *)loop, x, dx);
  // NOT: 8
  printf("%g\n", dx[3]);
}
// CHECK: adze: a derivative comes to '#pragma omp cancel', and OMP_CANCELLATION is set
