// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same of images.
// launch: grid 1 block 6,6
// x: active 64
// w: active 9
// y: active 36
#include "gpu.h"
__device__ void body(const float *x, const float *w, float *y) {
  int c = threadIdx.x, r = threadIdx.y;
  float sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      sum += w[3 * i + j] * x[8 * (r + i) + c + j];
  y[6 * r + c] = tanhf(sum);
}
