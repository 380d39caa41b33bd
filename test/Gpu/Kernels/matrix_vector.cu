// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row for each thread.
// launch: grid 1 block 32
// a: active 512
// x: active 16
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const double *a, const double *x, double *y) {
  int i = threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += a[16 * i + k] * x[k];
  y[i] += sum;
}
