// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads read all coefficients.
// launch: grid 2 block 32
// c: active 6
// x: active 64
// y: active 64
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *c, const double *x, double *y) {
  int i = globalThread();
  double v = c[5];
  for (int k = 4; k >= 0; --k)
    v = v * x[i] + c[k];
  y[i] = v;
}
