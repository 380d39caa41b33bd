// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortest paths: minimum of sums in place.
#include "check.h"

void paths(double *d) {
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        double t = d[4 * i + k] + d[4 * k + j];
        if (t < d[4 * i + j])
          d[4 * i + j] = t;
      }
}

ADZE_TEST_INPLACE(paths, 16,
                  ADZE_AT(0.01, 3.1, 8.3, 7.9, 9.2, 0.02, 2.1, 9.7, 5.4, 8.8, 0.03, 1.2, 2.3,
                          7.7, 9.9, 0.04))
