// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices from memory, with repetitions: adjoints add up.
#include "check.h"

void gather(const double *x, double *y) {
  static const int from[] = {3, 1, 1, 0, 3, 2, 2, 3}, to[] = {0, 1, 2, 0, 1, 2, 0, 2};
  y[0] = y[1] = y[2] = 0;
  for (int i = 0; i < 8; ++i)
    y[to[i]] += x[from[i]] * x[from[(i + 3) % 8]];
}

ADZE_TEST_MAP(gather, 4, 3, ADZE_AT(0.5, -1.5, 2.0, 0.7))
