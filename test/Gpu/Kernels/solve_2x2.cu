// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of two equations by Cramer's rule.
// launch: grid 2 block 32
// a: active 256 in 1 2
// b: active 128
// x: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *a, const double *b, double *x) {
  int i = globalThread();
  const double *m = a + 4 * i;
  double d = m[0] * m[3] + m[1] * m[2] + 3;
  x[2 * i] = (b[2 * i] * m[3] - b[2 * i + 1] * m[1]) / d;
  x[2 * i + 1] = (m[0] * b[2 * i + 1] - m[2] * b[2 * i]) / d;
}
