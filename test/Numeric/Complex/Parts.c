// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cabs, carg, creal, cimag, conj, cproj.
#include "check.h"
#include <complex.h>

void work(const double *x, double *y) {
  double complex z = x[0] + x[1] * I;
  y[0] = cabs(z);
  y[1] = carg(z);
  z = cproj(conj(z) * z * z);
  y[2] = creal(z);
  y[3] = cimag(z);
}

ADZE_TEST_MAP(work, 2, 4, ADZE_AT(0.75, 1.125, -0.5, -2.0, -1.0, 0.3))
