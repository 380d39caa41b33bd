// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same of floats.
// launch: grid 1 block 32
// x: active 32 in 0.2 0.8
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int i = threadIdx.x;
  float v = x[i];
  y[i] = sinf(v) + cosf(v) * tanhf(v) + expf(v) + logf(v) + sqrtf(v) * rsqrtf(v + 1.0f) +
         powf(v, 1.5f) + erff(v);
}
