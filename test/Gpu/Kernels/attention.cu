// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A query for each thread, keys and values in tiles, a running softmax.
// launch: grid 1 block 32
// q: active 128
// k: active 256
// v: active 64
// o: active 32
#include "gpu.h"
__device__ void body(const double *q, const double *k, const double *v, double *o) {
  __shared__ double keys[32][4], values[32];
  int t = threadIdx.x;
  double top = -1e30, sum = 0, out = 0;
  for (int tile = 0; tile < 2; ++tile) {
    for (int d = 0; d < 4; ++d)
      keys[t][d] = k[(tile * 32 + t) * 4 + d];
    values[t] = v[tile * 32 + t];
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
      double score = 0;
      for (int d = 0; d < 4; ++d)
        score += q[4 * t + d] * keys[j][d];
      double next = fmax(top, score), scale = exp(top - next), e = exp(score - next);
      sum = sum * scale + e;
      out = out * scale + e * values[j];
      top = next;
    }
    __syncthreads();
  }
  o[t] = out / sum;
}
