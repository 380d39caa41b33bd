// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two buffers exchanged by swapping pointers, for odd and for even numbers of steps.
// ADZE: vectorized
#include "check.h"

static void diffuse(const double *x, double *out, int steps) {
  double a[6], b[6], *now = a, *next = b;
  for (int i = 0; i < 6; ++i)
    a[i] = x[i];
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < 6; ++i) {
      double l = now[(i + 5) % 6], r = now[(i + 1) % 6];
      next[i] = now[i] + 0.1 * now[i] * (l - 2 * now[i] + r);
    }
    double *swap = now;
    now = next;
    next = swap;
  }
  for (int i = 0; i < 6; ++i)
    out[i] = now[i];
}

void odd(const double *x, double *y) { diffuse(x, y, 3); }
void even(const double *x, double *y) { diffuse(x, y, 4); }
ADZE_TEST_MAP(odd, 6, 6, ADZE_AT(0.9, 0.5, -0.3, 0.7, 1.1, 0.2))
ADZE_TEST_MAP(even, 6, 6, ADZE_AT(0.9, 0.5, -0.3, 0.7, 1.1, 0.2))
