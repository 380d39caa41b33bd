// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ten thousand data-dependent rounds: what is kept grows while it runs.
#include "check.h"

double decay(double x, double y) {
  double s = 0;
  while (x > 1e-3) {
    s += x * y;
    x = x - 1e-3 * x * (1 + 0.1 * s);
  }
  return s;
}

ADZE_TEST_SCALAR2(decay, ADZE_AT(0.9, 0.01), .step = 1e-6, .tolerance = 1e-4)
