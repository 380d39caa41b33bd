// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: vectorized
// Two vectors in one block, as far apart as the program finds out: the reverse of a loop that gathers becomes one
// loop for each distance where they do not overlap, and stays as it is where they do.
#include "check.h"

enum { LENGTH = 24, BLOCK = 3 * LENGTH };
// Unknown to the optimizer.
static volatile int length = LENGTH, far = LENGTH + 3, near = 5, before = -LENGTH;

static double gathered(const double *x, int n, int from, int apart, int m) {
  double block[BLOCK], s = 0;
  for (int i = 0; i < BLOCK; ++i)
    block[i] = x[i % n] + 0.02 * i;
  double *u = block + from, *next = u + apart;
  for (int t = 0; t < 3; ++t)
    for (int i = 1; i < m - 1; ++i)
      next[i] = 0.3 * u[i - 1] * u[i] + 0.4 * u[i + 1] - 0.1 * next[i];
  for (int i = 0; i < BLOCK; ++i)
    s += block[i] * (1 + i % 4);
  return s;
}

double side_by_side(const double *x, int n) { return gathered(x, n, 0, far, length); }
double one_into_the_other(const double *x, int n) { return gathered(x, n, 0, near, length); }
double the_other_first(const double *x, int n) { return gathered(x, n, LENGTH, before, length); }

// Rows of one matrix.
double rows(const double *x, int n) {
  double a[4 * LENGTH], s = 0;
  int m = length;
  for (int i = 0; i < 4 * m; ++i)
    a[i] = x[i % n] - 0.01 * i;
  for (int r = 1; r < 4; ++r)
    for (int i = 1; i < m - 1; ++i)
      a[r * m + i] += 0.2 * a[(r - 1) * m + i - 1] * a[(r - 1) * m + i] - 0.3 * a[(r - 1) * m + i + 1];
  for (int i = 0; i < 4 * m; ++i)
    s += a[i] * a[i];
  return s;
}

ADZE_TEST_ARRAY(side_by_side, 5, ADZE_AT(0.9, 0.8, -0.7, 0.5, 0.3))
ADZE_TEST_ARRAY(one_into_the_other, 5, ADZE_AT(0.9, 0.8, -0.7, 0.5, 0.3))
ADZE_TEST_ARRAY(the_other_first, 5, ADZE_AT(0.9, 0.8, -0.7, 0.5, 0.3))
ADZE_TEST_ARRAY(rows, 5, ADZE_AT(0.9, 0.8, -0.7, 0.5, 0.3))
