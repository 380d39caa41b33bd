// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of half precision that are used often: their adjoints are sums of many terms, made
// in float; in shared memory they are of half precision, and threads add to them together.
// launch: grid 1 block 32
// x: const [1 + i % 16 / 32 for i in range(2000)]
// w: active 32 in 0.5 1.5
// y: active 32
// tolerance: 4e-3
// differences: 0.5
// also: hip
#include "gpu.h"
__device__ void body(const float *x, const float *w, float *y) {
  __shared__ _Float16 table[8];
  int t = threadIdx.x;
  if (t < 8)
    table[t] = static_cast<_Float16>(w[t]);
  __syncthreads();
  auto h = static_cast<_Float16>(w[t]);
  float sum = 0;
  for (int k = 0; k < 2000; ++k)
    sum += static_cast<float>(h * static_cast<_Float16>(x[k]));
  y[t] = sum + static_cast<float>(h * table[t % 8]);
}
