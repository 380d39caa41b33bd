// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_dupnoneed and outputs through pointers in split mode: the adjoint of the output is put
// into its shadow between the halves.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>

__attribute__((noinline)) void affine(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 3 * x[i] + 1;
}
__attribute__((noinline)) void curved(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = exp(x[i]) * (i ? y[i - 1] : 1);
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_autodiff(void *, ...);

ADZE_TEST_REVERSE(of_affine) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, y[4], dy[4];
  void *tape = __enzyme_augmentfwd((void *)affine, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy, 4);
  for (int i = 0; i < 4; i++)
    dy[i] = i;
  __enzyme_reverse((void *)affine, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy, 4, tape);
  for (int i = 0; i < 4; i++) {
    adze_near("dx", dx[i], 3 * i, 0);
    adze_near("dy is taken", dy[i], 0, 0);
  }
}

ADZE_TEST_REVERSE(of_curved) {
  double x[4] = {.1, .2, .3, .4}, got[4] = {0}, want[4] = {0}, y[4] = {0}, dy[4];
  for (int i = 0; i < 4; i++)
    dy[i] = i + 1;
  __enzyme_autodiff((void *)curved, enzyme_dup, x, want, enzyme_dup, y, dy, 4);
  for (int need = 0; need < 2; need++) {
    for (int i = 0; i < 4; i++)
      got[i] = 0, y[i] = 0;
    void *tape = need ? __enzyme_augmentfwd((void *)curved, x, got, y, dy, 4)
                      : __enzyme_augmentfwd((void *)curved, x, got, enzyme_dupnoneed, y, dy, 4);
    if (need)
      adze_near("y", y[3], exp(1.0), 1e-15);
    for (int i = 0; i < 4; i++) {
      dy[i] = i + 1;
      y[i] = NAN;
    }
    if (need)
      __enzyme_reverse((void *)curved, x, got, y, dy, 4, tape);
    else
      __enzyme_reverse((void *)curved, x, got, enzyme_dupnoneed, y, dy, 4, tape);
    for (int i = 0; i < 4; i++)
      adze_near("dx", got[i], want[i], 1e-14);
  }
}
#endif
