// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads leave at several places.
// launch: grid 2 block 32
// x: active 64
// y: active 60
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  if (i >= 60)
    return;
  if (x[i] < -0.4) {
    y[i] = x[i] * x[i];
    return;
  }
  y[i] = exp(x[i]);
  if (i % 3 == 0)
    return;
  y[i] *= x[i];
}
