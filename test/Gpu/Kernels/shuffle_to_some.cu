// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only some lanes use what comes.
// launch: grid 1 block 32
// x: active 32
// y: active 32
// result: y = [v * x[i + 1] if i % 4 == 0 else v for i, v in enumerate(x)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = threadIdx.x;
  double next = __shfl_down_sync(ALL_LANES, x[i], 1);
  y[i] = i % 4 == 0 ? x[i] * next : x[i];
}
