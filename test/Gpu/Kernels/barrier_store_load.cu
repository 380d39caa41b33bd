// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// store, barrier, load: shared memory hands numbers from thread to thread.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
// result: y = [x[i // 64 * 64 + 63 - i % 64] ** 2 * x[i] for i in range(128)]
// planted: barriers
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = globalThread();
  tile[t] = x[i] * x[i];
  __syncthreads();
  y[i] = tile[63 - t] * x[i];
}
