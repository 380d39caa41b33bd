// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with adze_checkpoint within each other in one function: what is inside
// of the states of the outer one need not be inside of those of the inner one.
#include "check.h"

enum { N = 5 };

static void advance(double *u, int k) {
  for (int i = 0; i < N; ++i)
    u[i] = u[i] * (1 + 0.01 * u[(i + k) % N] * u[i]);
}

double both(const double *x, int n) {
  double u[N], s = 0;
  for (int i = 0; i < n; ++i)
    u[i] = x[i];
  for (int t = 0; t < 6; ++t) {
    adze_checkpoint(2);
    for (int k = 0; k < 4; ++k) {
      adze_checkpoint(2);
      advance(u, k);
    }
  }
  for (int i = 0; i < n; ++i)
    s += u[i];
  return s;
}
ADZE_TEST_ARRAY(both, N, ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1))

// Three of them, and one behind another.
double three(const double *x, int n) {
  double u[N], s = 0;
  for (int i = 0; i < n; ++i)
    u[i] = x[i];
  for (int t = 0; t < 4; ++t) {
    adze_checkpoint(2);
    for (int k = 0; k < 3; ++k) {
      adze_checkpoint(1);
      for (int j = 0; j < 3; ++j) {
        adze_checkpoint(2);
        advance(u, k + j);
      }
      u[0] += 0.1 * u[1] * u[2];
    }
    for (int j = 0; j < 5; ++j) {
      adze_checkpoint(1);
      u[1] += 0.1 * u[3] * u[4];
      u[3] *= 0.9;
    }
  }
  for (int i = 0; i < n; ++i)
    s += u[i];
  return s;
}
ADZE_TEST_ARRAY(three, N, ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1))
