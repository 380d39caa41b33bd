// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where adjoints are added atomically in a parallel region, and where not.
//
// RUN: %clang -O2 -g -fopenmp %adze -Rpass=adze -Rpass-missed=adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <math.h>
void __enzyme_autodiff(void *, ...);
int enzyme_const;

void sums(const double *x, const double *w, double *y, double *z, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      // CHECK-DAG: atomic-sums.c:[[#@LINE+1]]:{{.*}} adds atomically to the adjoint of {{.*}}, because other threads may read the same at the same time; to avoid this, let iterations read what belongs to them alone, or give each thread a copy (firstprivate) [-Rpass-missed=adze]
      y[i] = w[i % 7] * w[i % 7];
  }
}
double nodes(const double *x, const int *at, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    // CHECK-DAG: atomic-sums.c:[[#@LINE+1]]:{{.*}} adds to a copy of its own of the adjoint of {{.*}}, of each page of memory to which it adds often and another thread has added before, because other threads may read the same, and none writes it [-Rpass=adze]
    s += x[at[i]] * x[at[i]];
  return s;
}
void neighbours(const double *x, double *y, int n) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i)
    // CHECK-DAG: atomic-sums.c:[[#@LINE+1]]:{{.*}} adds atomically to the adjoint of {{.*}} in the first 2 and the last 2 iterations of each thread, because others read what is read there [-Rpass-missed=adze]
    y[i] = x[i - 1] * x[i + 1];
}
void own(const double *x, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    // CHECK-NOT: atomic-sums.c:[[#@LINE+1]]:{{.*}} adds atomically
    y[i] = sin(x[i]);
}
void all(const double *x, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < 20; ++j)
      // CHECK-DAG: atomic-sums.c:[[#@LINE+1]]:{{.*}} each thread of the reverse pass of {{.*}} adds to a copy of its own of the adjoint of {{.*}}, because all threads read it, so none writes it as long as two threads have iterations; where the copy would have more than 4194304 bytes, it adds atomically [-Rpass=adze]
      s += x[j] * x[j];
    y[i] = s;
  }
}
void gradients(double *x, double *dx, double *y, double *dy, const int *at,
               int n) {
  __enzyme_autodiff((void *)nodes, x, dx, enzyme_const, at, n);
  __enzyme_autodiff((void *)sums, x, dx, x, dx, y, dy, y, dy, n);
  __enzyme_autodiff((void *)neighbours, x, dx, y, dy, n);
  __enzyme_autodiff((void *)all, x, dx, y, dy, n);
  __enzyme_autodiff((void *)own, x, dx, y, dy, n);
}
