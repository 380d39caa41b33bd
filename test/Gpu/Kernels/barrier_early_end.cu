// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of barriers that all threads leave at the same time: a vote in shared memory.
// launch: grid 2 block 32
// x: active 64 in 0.2 0.9
#include "gpu.h"
__device__ void body(double *x) {
  __shared__ double largest;
  int t = threadIdx.x, i = globalThread();
  double v = x[i];
  for (;;) {
    if (t == 0)
      largest = v;
    __syncthreads();
    bool end = largest > 2;
    __syncthreads();
    if (end)
      break;
    v = v * 1.5 + 0.1 * v * v;
  }
  x[i] = v;
}
