// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shuffle in each iteration of a recurrence.
// launch: grid 1 block 64
// x: active 64
// also: hip
#include "gpu.h"
__device__ void body(double *x) {
  int i = threadIdx.x;
  double v = x[i];
  for (int k = 0; k < 5; ++k)
    v = 0.6 * v + 0.3 * v * __shfl_xor_sync(ALL_LANES, v, 1 + k % 3);
  x[i] = v;
}
