// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same gradient three times from one process, with a heap that is never clean.
#include "check.h"
#include <stdlib.h>
#include <string.h>

double f(const double *x, int n) {
  double *a = (double *)malloc((size_t)n * sizeof *a), s = 0;
  double *b = (double *)malloc((size_t)n * sizeof *b);
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * (i ? a[i - 1] : 1);
  memcpy(b, a, (size_t)n * sizeof *a);
  for (int i = 0; i < n; ++i)
    s += a[i] * b[n - 1 - i];
  free(a);
  free(b);
  return s;
}

static void litter(void) {
  void *p[16];
  for (int i = 0; i < 16; ++i) {
    p[i] = malloc((size_t)(8 << (i % 8)));
    memset(p[i], 0x7f + i, (size_t)(8 << (i % 8)));
  }
  for (int i = 0; i < 16; ++i)
    free(p[i]);
}
ADZE_TEST_ARRAY(f, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

#if ADZE_REVERSE
extern void __enzyme_autodiff_f(void *, ...);
ADZE_TEST_REVERSE(thrice) {
  double x[4] = {0.5, 0.7, -0.4, 0.2}, first[4];
  for (int k = 0; k < 3; ++k) {
    double dx[4] = {0, 0, 0, 0};
    litter();
    __enzyme_autodiff_f((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
    if (k == 0)
      memcpy(first, dx, sizeof first);
    for (int i = 0; i < 4; ++i)
      adze_near("again", dx[i], first[i], 0);
  }
}
#endif
