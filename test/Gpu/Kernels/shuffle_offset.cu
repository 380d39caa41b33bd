// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By how many lanes is a matter of data, the same for all lanes.
// launch: grid 2 block 32
// x: active 64
// by: const [3, 11]
// y: active 64
#include "gpu.h"
__device__ void body(const double *x, const int *by, double *y) {
  int i = globalThread();
  y[i] = x[i] * __shfl_down_sync(ALL_LANES, x[i] * x[i], by[blockIdx.x]);
}
