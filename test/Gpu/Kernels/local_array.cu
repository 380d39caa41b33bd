// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's own array, filled by one loop and read by another.
// launch: grid 2 block 16
// x: active 256
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  double own[8];
  for (int k = 0; k < 8; ++k)
    own[k] = x[8 * i + k] * x[8 * i + k];
  double sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += own[k] * own[7 - k];
  y[i] = sum;
}
