// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane reads another lane's value, by an index that data give.
// launch: grid 1 block 32
// x: active 32
// source: const [(i * i + 5) % 32 for i in range(32)]
// y: active 32
// result: y = [a * x[f] ** 2 for a, f in zip(x, source)]
#include "gpu.h"
__device__ void body(const float *x, const int *source, float *y) {
  int i = threadIdx.x;
  y[i] = x[i] * __shfl_sync(ALL_LANES, x[i] * x[i], source[i]);
}
