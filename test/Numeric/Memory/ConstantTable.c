// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of constants: read at indices known at run time.
#include "check.h"

static const double weights[5] = {0.1, -0.2, 0.3, 0.7, 1.5};
static double scale = 2.0;

double table(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += weights[(i * 2) % 5] * x[i] * x[(i + 1) % n] * scale;
  return s;
}

ADZE_TEST_ARRAY(table, 5, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.2))
