// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of threads in bins, as floats.
// launch: grid 4 block 32
// bin: const [(i * i + 3 * i) % 10 for i in range(128)]
// weight: active 128
// bins: active 10
// also: hip
#include "gpu.h"
__device__ void body(const int *bin, const float *weight, float *bins) {
  int i = globalThread();
  atomicAdd(&bins[bin[i]], weight[i] * weight[i]);
}
