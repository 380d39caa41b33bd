// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats are added to bins in shared memory, then to those of all blocks.
// launch: grid 2 block 64
// bin: const [(i * i + 3 * i) % 10 for i in range(128)]
// weight: active 128
// bins: active 10
// also: hip
// result: bins = [bins[k] + sum(w * w for w, b in zip(weight, bin) if b == k) for k in range(10)]
#include "gpu.h"
__device__ void body(const int *bin, const float *weight, float *bins) {
  __shared__ float part[10];
  int t = threadIdx.x, i = globalThread();
  if (t < 10)
    part[t] = 0;
  __syncthreads();
  atomicAdd(&part[bin[i]], weight[i] * weight[i]);
  __syncthreads();
  if (t < 10)
    atomicAdd(&bins[t], part[t]);
}
