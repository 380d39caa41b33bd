// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee only writes, to memory that is not behind a pointer argument of its
// own, and its caller overwrites that memory later: the callee's reverse pass
// cannot load again what it stored.
#include "check.h"
#include <math.h>
#include <stdint.h>

static double places[8];

__attribute__((noinline)) static void toGlobal(int i, double v) {
  places[i & 7] = 1 / sqrt(1.2 + v * v);
}

double inGlobal(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    toGlobal(i, x[i]);
    r += 0.2 * places[i & 7];
  }
  for (int i = 0; i < n; ++i)
    places[i & 7] += r;
  return r;
}

__attribute__((noinline)) static void toHandle(uintptr_t h, double v) {
  *(double *)(h - (h & 7)) = exp(-v * v);
}

double behindHandle(const double *x, int n) {
  double y[8];
  for (int i = 0; i < n; ++i)
    toHandle((uintptr_t)&y[i] | (i & 1), x[i]);
  double r = 0;
  for (int i = 0; i < n; ++i) {
    r += y[i] * x[n - 1 - i];
    y[i] = sin(r);
  }
  return r + y[0];
}

ADZE_TEST_ARRAY(inGlobal, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))
ADZE_TEST_ARRAY(behindHandle, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))
