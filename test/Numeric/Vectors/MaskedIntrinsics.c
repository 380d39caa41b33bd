// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked loads and stores, gathers and scatters, as the vectorizer makes them.
// ADZE: vectorized flags="-march=x86-64-v3" skip-unless=cpu:avx2
#include "check.h"

void masked(const double *x, double *y) {
  for (int i = 0; i < 16; ++i)
    y[i] = x[i];
  for (int i = 0; i < 16; ++i)
    if (x[i] > 0.25)
      y[i] = x[i] * x[(i * 5) % 16];
}

ADZE_TEST_MAP(masked, 16, 16,
              ADZE_AT(0.1, 0.9, -0.3, 0.4, 0.5, -0.6, 0.7, 0.8, 0.15, 0.2, 0.35, -0.45, 0.55,
                      0.65, -0.75, 0.85))
