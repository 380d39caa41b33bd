// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two arrays in one piece of dynamic shared memory.
// launch: grid 1 block 32 shared 384
// x: active 32
// w: active 32
// y: active 32
// result: y = [x[31 - i] ** 2 * w[(i + 5) % 32] for i in range(32)]
#include "gpu.h"
extern __shared__ char dynamicBytes[];
__device__ void body(const double *x, const float *w, double *y) {
  double *a = reinterpret_cast<double *>(dynamicBytes);
  float *b = reinterpret_cast<float *>(dynamicBytes + 256);
  int t = threadIdx.x;
  a[t] = x[t] * x[t];
  b[t] = w[t];
  __syncthreads();
  y[t] = a[31 - t] * b[(t + 5) % 32];
}
