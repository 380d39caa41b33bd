// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An iteration z = z*z + c until it leaves a circle.
#include "check.h"
#include <complex.h>

void escape(const double *x, double *y) {
  double complex z = 0, c = x[0] + x[1] * I;
  int n = 0;
  while (creal(z) * creal(z) + cimag(z) * cimag(z) < 4 && n < 40) {
    z = z * z + c;
    ++n;
  }
  y[0] = creal(z) * n;
  y[1] = cimag(z);
}

ADZE_TEST_MAP(escape, 2, 2, ADZE_AT(0.4, 0.5, -0.8, 0.6), .step = 1e-5)
