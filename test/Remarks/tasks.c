// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where tasks run in derivatives.
//
// RUN: %clang -O2 -g -fopenmp %adze -Rpass-missed=adze -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);

void squares(double *x, int n) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i)
    // CHECK: tasks.c:[[#@LINE+1]]:{{.*}} remark: in derivatives, the thread that comes to this task runs it at once [-Rpass-missed=adze]
#pragma omp task firstprivate(i)
    x[i] *= x[i];
}
void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)squares, x, dx, n);
}
