// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory is sorted: numbers trade places.
// launch: grid 1 block 32
// x: active 64
// y: active 64
// result: y = [sorted(x)[i] * (i + 1 if i < 32 else sorted(x)[i - 32]) for i in range(64)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double part[64];
  int t = threadIdx.x;
  part[t] = x[t];
  part[t + 32] = x[t + 32];
  for (int size = 2; size <= 64; size *= 2)
    for (int by = size / 2; by > 0; by /= 2) {
      __syncthreads();
      int a = 2 * by * (t / by) + t % by, b = a + by;
      bool up = (a & size) == 0;
      double u = part[a], v = part[b];
      if ((u > v) == up) {
        part[a] = v;
        part[b] = u;
      }
    }
  __syncthreads();
  y[t] = part[t] * (t + 1);
  y[t + 32] = part[t + 32] * part[t];
}
