// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier that counts.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// result: y = [v * v * sum(u > 0 for u in x) for v in x]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
#ifdef __AMDGCN__
  int positive = 0;
#else
  int positive = __syncthreads_count(x[threadIdx.x] > 0);
#endif
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] * positive;
}
