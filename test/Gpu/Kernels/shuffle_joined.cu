// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A double that is another one on each way: its halves come together before they are moved.
// launch: grid 2 block 64
// x: active 128
// n: const [1, 3]
// y: active 128
// result: y = [x[i ^ 1] ** (1 if i < 64 else 3) * x[i] + x[i ^ 2] for i in range(128)]
// also: hip
#include "gpu.h"
__device__ void body(const double *x, const int *n, double *y) {
  int i = globalThread();
  double v = x[i], other = __shfl_xor_sync(ALL_LANES, v, 2);
  for (int k = 1; k < n[blockIdx.x]; ++k)
    v = v * x[i];
  y[i] = __shfl_xor_sync(ALL_LANES, v, 1) * x[i] + other;
}
