// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the device that hold active data, with shadows that the program declares: work space
// of threads, and what a block reads that one of its threads has put there.
// launch: grid 1 block 64
// x: active 64
// w: active 4
// y: active 64
// also: hip
// planted: atomics
#include "../../../include/adze/gpu/Shadows.h"
#include "gpu.h"
__device__ double work[64], dwork[64];
ADZE_SHADOW(work, dwork)
struct Model {
  double weights[4], bias;
};
__device__ Model model, dmodel;
ADZE_SHADOW(model, dmodel)
__device__ void body(const double *x, const double *w, double *y) {
  int t = threadIdx.x;
  if (t < 4)
    model.weights[t] = w[t] * w[t];
  if (t == 0)
    model.bias = w[0] + w[3];
  work[t] = x[t] * x[t];
  __syncthreads();
  double sum = model.bias;
  for (int k = 0; k < 4; ++k)
    sum += model.weights[k] * work[(t + 16 * k) % 64];
  y[t] = sum * sum;
  __syncthreads(); // what the shadows hold at the end is nothing to the results
  work[t] = 0;
  if (t < 4)
    model.weights[t] = 0;
  if (t == 0)
    model.bias = 0;
}
