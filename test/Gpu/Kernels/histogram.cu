// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of threads in bins, as floats.
// launch: grid 4 block 32
// bin: const [(i * i + 3 * i) % 10 for i in range(128)]
// weight: active 128
// bins: active 10
// also: hip
// result: bins = [bins[k] + sum(w * w for w, b in zip(weight, bin) if b == k) for k in range(10)]
#include "gpu.h"
__device__ void body(const int *bin, const float *weight, float *bins) {
  int i = globalThread();
  atomicAdd(&bins[bin[i]], weight[i] * weight[i]);
}
