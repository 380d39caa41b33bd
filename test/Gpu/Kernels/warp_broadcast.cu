// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes read the value of one.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  double v = sin(x[i]);
  y[i] = v * __shfl_sync(ALL_LANES, v, 3);
}
