// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions kept as bool, char and bit fields, and turned back into numbers.
#include "check.h"
#include <stdbool.h>

struct flags {
  unsigned positive : 1;
  unsigned count : 5;
};

double flagged(const double *x, int n) {
  bool seen[6] = {false};
  struct flags f = {0, 0};
  double s = 0;
  for (int i = 0; i < n; ++i) {
    seen[i] = x[i] > 0;
    f.positive = seen[i];
    f.count += seen[i];
    s += f.positive * x[i] * x[i] + (!seen[i]) * x[i];
  }
  return s * f.count;
}

ADZE_TEST_ARRAY(flagged, 4, ADZE_AT(0.75, 1.25, -0.5, -2.0))
