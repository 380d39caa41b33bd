// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// load, barrier, store: each thread overwrites what another one has read.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
// result: x = [x[i // 64 * 64 + 63 - i % 64] ** 2 for i in range(128)]
// planted: barriers
#include "gpu.h"
__device__ void body(double *x, double *y) {
  int t = threadIdx.x, base = 64 * blockIdx.x;
  double v = x[base + 63 - t];
  __syncthreads();
  x[base + t] = v * v;
  y[base + t] += sin(v);
}
