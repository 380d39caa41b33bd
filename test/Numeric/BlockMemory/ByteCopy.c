// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles copied byte by byte, by a loop in a function that does not know what it copies.
#include "check.h"

static void bytes(void *to, const void *from, int n) {
  char *t = (char *)to;
  const char *f = (const char *)from;
  for (int i = 0; i < n; ++i)
    t[i] = f[i];
}

void copied(const double *x, double *y) {
  double a[3], b[3];
  for (int i = 0; i < 3; ++i)
    a[i] = x[i] * x[0];
  bytes(b, a, sizeof a);
  y[0] = b[0] * b[1] * b[2];
}

ADZE_TEST_MAP(copied, 3, 1, ADZE_AT(0.9, 1.1, -0.7))
