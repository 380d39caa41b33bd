// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread for each column runs down the rows.
// launch: grid 1 block 16
// x: active 160
// y: active 16
// also: hip
#include "gpu.h"
__device__ void body(double *x, double *y) {
  int c = threadIdx.x;
  double sum = 0;
  for (int r = 0; r < 10; ++r) {
    x[r * 16 + c] *= x[r * 16 + c];
    sum += x[r * 16 + c];
  }
  y[c] = sum;
}
