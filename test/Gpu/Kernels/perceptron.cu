// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two layers, the weights shared by all threads.
// launch: grid 1 block 32
// w1: active 24
// w2: active 6
// x: active 128
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const double *w1, const double *w2, const double *x, double *y) {
  int i = threadIdx.x;
  double out = 0;
  for (int h = 0; h < 6; ++h) {
    double sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += w1[4 * h + k] * x[4 * i + k];
    out += w2[h] * tanh(sum);
  }
  y[i] = out;
}
