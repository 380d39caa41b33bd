// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner trip count is computed inside the outer loop, also from memory.
#include "check.h"

double ragged(const double *x, int n) {
  static const int counts[] = {2, 0, 3, 1, 4};
  double s = 1;
  for (int i = 0; i < 5; ++i) {
    int trips = counts[i] + (x[i % n] > 0.5);
    for (int j = 0; j < trips; ++j)
      s = s * x[(i + j) % n] + 0.5;
  }
  return s;
}

ADZE_TEST_ARRAY(ragged, 4, ADZE_AT(0.9, 0.4, -0.7, 1.2))
