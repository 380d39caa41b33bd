// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures of floats and doubles, run through backwards: the optimizer computes the address of the
// element in the first structure before the loop, and steps over structures from there.
#include "check.h"
#include <math.h>

struct Inner { float values[4]; double weight; };
struct Row { int k; double sums[4]; struct Inner inner; double left, right; };

static volatile int count = 3;

static void rows(const double *x, double *y) {
  struct Row r[4];
  float scratch[4];
  int n = count;
  for (int i = 0; i < 4; i++) {
    r[i].k = i;
    for (int j = 0; j < 4; j++) r[i].sums[j] = x[j] * x[i];
    for (int j = 0; j < 4; j++) r[i].inner.values[j] = (float)(x[i] * x[j]);
    r[i].inner.weight = x[i];
    r[i].left = sin(x[i]);
    r[i].right = x[i] * 0.3;
    scratch[i] = (float)x[i];
  }
  double s = 0;
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++) {
      scratch[(i * t) & 3] = 0.5f * scratch[(i * t) & 3] + 0.4f * (0.145f - r[3 - i].inner.values[3 - t]);
      s += r[i].sums[3 - t] * r[i].left + r[i].inner.weight * r[i].right;
    }
  y[0] = s;
  y[1] = scratch[0] + scratch[1];
  y[2] = scratch[2] * s;
}
ADZE_TEST_MAP(rows, 4, 3, ADZE_AT(0.5, -0.25, 0.75, 1.5), .tolerance = 1e-3, .step = 0.05, .dot = 1e-5)
