// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean and variance of a row.
// launch: grid 1 block 32
// x: active 256
// scale: active 8
// y: active 256
#include "gpu.h"
__device__ void body(const float *x, const float *scale, float *y) {
  int i = threadIdx.x;
  float mean = 0, variance = 0;
  for (int k = 0; k < 8; ++k)
    mean += x[8 * i + k] / 8;
  for (int k = 0; k < 8; ++k)
    variance += (x[8 * i + k] - mean) * (x[8 * i + k] - mean) / 8;
  float r = rsqrtf(variance + 1e-2f);
  for (int k = 0; k < 8; ++k)
    y[8 * i + k] = scale[k] * (x[8 * i + k] - mean) * r;
}
