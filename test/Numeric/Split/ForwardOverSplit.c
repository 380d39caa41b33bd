// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient made of two halves is a function like any other: differentiated once more.
// ADZE: modes=forward
#include "check.h"
#include <math.h>

__attribute__((noinline)) double f(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    s = s * sin(x[i]) + x[i] * x[i] * x[0];
  return s;
}

void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

#if ADZE_FORWARD
__attribute__((noinline)) static void split(const double *x, double *g, int n) {
  for (int i = 0; i < n; i++)
    g[i] = 0;
  void *tape = __enzyme_augmentfwd((void *)f, x, g, n);
  __enzyme_reverse((void *)f, x, g, n, 1.0, tape);
}
__attribute__((noinline)) static void fused(const double *x, double *g, int n) {
  for (int i = 0; i < n; i++)
    g[i] = 0;
  __enzyme_autodiff((void *)f, x, g, n);
}

ADZE_TEST_FORWARD(hessian) {
  double x[3] = {.5, .7, 1.1}, g[3], want[3], got[3];
  for (int k = 0; k < 3; k++) {
    double v[3] = {0};
    v[k] = 1;
    __enzyme_fwddiff((void *)fused, x, v, g, want, 3);
    __enzyme_fwddiff((void *)split, x, v, g, got, 3);
    for (int i = 0; i < 3; i++)
      adze_near("Hessian", got[i], want[i], 1e-12);
  }
}
#endif
