// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats in memory, doubles between.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int i = globalThread();
  double v = x[i];
  v = v * v + sin(v);
  y[i] = static_cast<float>(v) * y[i];
}
