// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counted loop with a product carried around it.
// ADZE: vectorized
#include "check.h"

double product(const double *x, int n) {
  double p = 1;
  for (int i = 0; i < n; ++i)
    p *= x[i] + 0.5 * i;
  return p;
}

ADZE_TEST_ARRAY(product, 5, ADZE_AT(1.0, 0.5, -0.3, 1.2, 0.9))
