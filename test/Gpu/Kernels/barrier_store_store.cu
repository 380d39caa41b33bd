// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// store, barrier, store: the first value is overwritten by another thread.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
// result: y = [x[i ^ 63] ** 2 if i % 2 == 0 else 3 * x[i] for i in range(128)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int t = threadIdx.x, base = 64 * blockIdx.x;
  y[base + t] = x[base + t] * 3;
  __syncthreads();
  if (t % 2)
    y[base + 63 - t] = x[base + t] * x[base + t];
}
