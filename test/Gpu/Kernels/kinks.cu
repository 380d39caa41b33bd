// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Least, greatest, absolute value, bounds.
// launch: grid 2 block 32
// a: active 64
// b: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const double *a, const double *b, double *y) {
  int i = globalThread();
  double v = fmax(a[i], b[i]) * fabs(a[i]) - fmin(a[i] * a[i], b[i]);
  y[i] = fmin(fmax(v, -0.3), 0.6) + y[i] * floor(a[i] * 3);
}
