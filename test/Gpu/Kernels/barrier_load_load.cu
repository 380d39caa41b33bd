// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// load, barrier, load: reads alone, of two threads.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int t = threadIdx.x, base = 64 * blockIdx.x;
  double a = x[base + t];
  __syncthreads();
  y[base + t] = a * x[base + 63 - t];
}
