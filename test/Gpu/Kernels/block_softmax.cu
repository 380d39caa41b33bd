// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows by blocks: greatest, sum, quotient, with two trees.
// launch: grid 3 block 32
// x: active 96
// y: active 96
// result: y = [math.exp(x[i]) / sum(math.exp(v) for v in x[i // 32 * 32:i // 32 * 32 + 32]) for i in range(96)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double part[32];
  int t = threadIdx.x, i = globalThread();
  part[t] = x[i];
  __syncthreads();
  for (int half = 16; half > 0; half /= 2) {
    if (t < half)
      part[t] = fmax(part[t], part[t + half]);
    __syncthreads();
  }
  double top = part[0];
  __syncthreads();
  double e = exp(x[i] - top);
  part[t] = e;
  __syncthreads();
  for (int half = 16; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  y[i] = e / part[0];
}
