// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A return from inside two loops.
#include "check.h"

double find(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      s = s * 0.9 + x[i] * x[j];
      if (s > 2.5)
        return s * x[i];
      if (s < -2.5)
        return s - x[j];
    }
  return s;
}

ADZE_TEST_ARRAY(find, 3, ADZE_AT(0.2, 0.3, 0.1, 0.9, 1.1, 1.4, -2.0, 1.5, 1.7))
