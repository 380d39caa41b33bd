// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of several types in one piece of dynamic shared memory, whose sizes the launch
// gives; later one of them has the memory of others.
// launch: grid 2 block 32 shared 1024
// x: active 64
// w: active 64
// y: active 64
// result: y = [(x[b + 5 * t % 32] ** 2 * w[b + (t + 1) % 32] + w[b + t]) * x[b + t] for b in (0, 32) for t in range(32)]
#include "gpu.h"
extern __shared__ char dynamicBytes[];
__device__ void body(const double *x, const float *w, double *y) {
  double *a = reinterpret_cast<double *>(dynamicBytes);
  float *b = reinterpret_cast<float *>(a + blockDim.x);
  int *order = reinterpret_cast<int *>(b + blockDim.x);
  int t = threadIdx.x, i = globalThread();
  a[t] = x[i] * x[i];
  b[t] = w[i];
  order[t] = t * 5 % 32;
  __syncthreads();
  double v = a[order[t]] * b[(t + 1) % 32] + b[t];
  __syncthreads();
  double *again = a + blockDim.x / 2; // over a, b and order
  again[t] = v;
  __syncthreads();
  y[i] = again[t] * x[i];
}
