// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer to one of two shared arrays, chosen by data.
// launch: grid 2 block 32
// x: active 64
// side: const [i * i % 3 % 2 for i in range(64)]
// y: active 64
#include "gpu.h"
__device__ void body(const double *x, const int *side, double *y) {
  __shared__ double a[32], b[32];
  int t = threadIdx.x, i = globalThread();
  a[t] = x[i];
  b[t] = x[i] * x[i];
  __syncthreads();
  const double *from = side[i] ? a : b;
  y[i] = from[31 - t] * from[t];
}
