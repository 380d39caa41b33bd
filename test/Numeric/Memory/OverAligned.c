// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local array aligned more than any heap block, in functions that are split
// into an augmented and a reverse half: in a loop, and recursive.
// ADZE: flags=-mavx skip-unless=cpu:avx
#include "check.h"

typedef double quad __attribute__((ext_vector_type(4)));

__attribute__((noinline)) static double squares(double *x, int n) {
  _Alignas(64) quad work[2];
  for (int i = 0; i < 4; ++i) {
    work[0][i] = x[i] * x[(i + 1) % 4];
    work[1][i] = x[i] + work[0][i];
  }
  work[0] = work[0] * work[1];
  for (int i = 0; i < 4; ++i)
    x[i] = 0.5 * work[0][i];
  double s = work[0].x + work[1].w;
  return n > 0 ? s * squares(x, n - 1) : s;
}

void aligned(const double *x, double *y) {
  double t[4];
  for (int i = 0; i < 4; ++i)
    t[i] = x[i];
  for (int i = 0; i < 3; ++i)
    y[i] = squares(t, i);
}

ADZE_TEST_MAP(aligned, 4, 3, ADZE_AT(0.9, 1.1, -0.7, 0.6))
