// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread sums up all numbers before its own.
// launch: grid 1 block 32
// x: active 32
// y: active 32
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = threadIdx.x;
  double sum = 0;
  for (int k = 0; k <= i; ++k)
    sum += x[k] * x[k];
  y[i] = sqrt(sum + 1);
}
