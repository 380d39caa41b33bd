// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer work of all kinds beside active work: hash, shifts, division, comparison.
#include "check.h"
#include <stdint.h>

double hashed(const double *x, int n) {
  uint32_t h = 2166136261u;
  double s = 1;
  for (int i = 0; i < 12; ++i) {
    h = (h ^ (uint32_t)i) * 16777619u;
    h ^= h >> 13;
    int k = (int)(h % (unsigned)n), sh = (int)(h >> 28);
    if (sh & 1)
      s += x[k] * s * 0.1;
    else
      s -= x[k] * x[(k + sh) % n];
  }
  return s;
}

ADZE_TEST_ARRAY(hashed, 5, ADZE_AT(0.9, 1.3, -0.5, 0.7, 0.2))
