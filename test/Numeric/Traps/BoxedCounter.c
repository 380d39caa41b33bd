// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trip count lives in memory that the loop itself changes.
#include "check.h"

double boxed(const double *x, int n) {
  int count[2] = {2, 0};
  double s = 1;
  for (int i = 0; i < count[0]; ++i) {
    s = s * x[i % n] + 1;
    if (s > 1.2 && count[0] < 9)
      ++count[0];
    count[1] += i;
  }
  return s * count[1];
}

ADZE_TEST_ARRAY(boxed, 3, ADZE_AT(0.5, 0.7, 0.4))
