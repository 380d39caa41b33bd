// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads add to one double.
// launch: grid 4 block 32
// x: active 128
// sum: active 1
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *sum) {
  int i = globalThread();
  atomicAdd(sum, x[i] * x[i] + sin(x[i]));
}
