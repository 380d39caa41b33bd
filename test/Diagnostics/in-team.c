// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a parallel region may not do.
//
// RUN: not %clang -O0 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);

void wide(long double *x, long double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    // CHECK-DAG: in-team.c:[[#@LINE+1]]:{{[0-9]+}}: error: no derivative rule for this in a parallel region: threads may read the same x86_fp80
    y[i] = x[i] * x[n - 1 - i];
}
void order(double *x, int n) {
#pragma omp parallel for
  for (int i = 1; i < n; ++i) {
    x[i] *= x[i];
    // CHECK-DAG: error: no derivative rule for this in a parallel region: an atomic operation on active data that is no plain sum
    __atomic_exchange_n((long *)x, 0, __ATOMIC_RELAXED);
  }
}
void opaque(int);
void waits(double *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // CHECK-DAG: error: no derivative rule for this in a parallel region: a call of 'opaque', of which nobody knows whether threads wait there
    opaque(i);
    x[i] = x[i] * x[i];
  }
}
// Nothing active is known to these.
void hidden(int);
__attribute__((noinline)) static void hide(int i) {
  // CHECK-DAG: in-team.c:[[#@LINE+1]]:{{[0-9]+}}: error: no derivative rule for this in a parallel region: a call of 'hidden', of which nobody knows whether threads wait there
  hidden(i);
}
void hides(double *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    hide(i);
    x[i] = x[i] * x[i];
  }
}
extern void (*hook)(int);
void asks(double *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // CHECK-DAG: in-team.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate a call through a function pointer that is not known at compile time
    hook(i);
    x[i] = x[i] * x[i];
  }
}
void gradients(long double *l, long double *dl, double *x, double *dx,
               int n) {
  __enzyme_autodiff((void *)wide, l, dl, l + n, dl + n, n);
  __enzyme_autodiff((void *)order, x, dx, n);
  __enzyme_autodiff((void *)waits, x, dx, n);
  __enzyme_autodiff((void *)hides, x, dx, n);
  __enzyme_autodiff((void *)asks, x, dx, n);
}
// CHECK-DAG: to fix: keep it out of the region, or give each thread memory of its own (private, firstprivate)
