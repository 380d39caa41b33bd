// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coefficients in constant memory.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__constant__ double weights[5] = {0.1, -0.4, 0.8, -0.4, 0.1};
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += weights[k] * x[(i + k) % 64];
  y[i] = sum * sum;
}
