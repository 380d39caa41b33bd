// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread takes every n-th number.
// launch: grid 2 block 32
// x: active 300
// y: active 300
// n: 300
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y, int n) {
  for (int i = globalThread(); i < n; i += globalThreads())
    y[i] = x[i] * x[i] * x[i] + cos(x[i]);
}
