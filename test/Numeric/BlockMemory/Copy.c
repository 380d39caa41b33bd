// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy of constant and of run-time size, between locals and arguments.
#include "check.h"
#include <string.h>

static void take(double *to, const double *from, int n) {
  memcpy(to, from, (size_t)n * sizeof *to);
}

void copies(const double *x, double *y) {
  double a[6], b[6];
  memcpy(a, x, sizeof a);
  take(b, a, 6);
  for (int i = 0; i < 6; ++i)
    b[i] *= a[i];
  take(a + 1, b, 3);
  memcpy(y, a, sizeof a);
  memcpy(y + 2, b + 4, 2 * sizeof(double));
}

ADZE_TEST_MAP(copies, 6, 6, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.6, -0.2))
