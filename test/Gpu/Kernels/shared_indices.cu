// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers in shared memory say where floats are read.
// launch: grid 2 block 32
// x: active 64
// order: const [(i * 13 + 4) % 32 for i in range(32)]
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const double *x, const int *order, double *y) {
  __shared__ int from[32];
  int t = threadIdx.x, i = globalThread();
  from[order[t]] = t;
  __syncthreads();
  y[i] = x[blockIdx.x * 32 + from[t]] * x[i];
}
