// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that goes to shared memory or to global memory.
// launch: grid 2 block 32
// x: active 64
// side: const [i % 2 for i in range(64)]
// y: active 64
#include "gpu.h"
__device__ void body(const double *x, const int *side, double *y) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  tile[t] = sin(x[i]);
  __syncthreads();
  const double *from = side[i] ? tile : x + 32 * blockIdx.x;
  y[i] = from[(t + 9) % 32] * x[i];
}
