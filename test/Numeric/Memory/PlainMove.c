// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of copies that -O1 turns into a block move without any type: nothing
// in the function says that the bytes are floats, so it may be refused.
#include "check.h"

static void diffuse(const double *x, double *out, int steps) {
  double a[6];
  for (int i = 0; i < 6; ++i)
    a[i] = x[i];
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < 6; ++i)
      a[i] *= a[(i + 1) % 6];
  for (int i = 0; i < 6; ++i)
    out[i] = a[i];
}

void none(const double *x, double *y) { diffuse(x, y, 0); }
ADZE_TEST_MAP(none, 6, 6, ADZE_AT(0.9, 0.5, -0.3, 0.7, 1.1, 0.2))
