// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product instead of a sum: the reverse pass needs what the tree has computed.
// launch: grid 2 block 16
// x: active 32 in 0.7 1.3
// products: active 2
// result: products = [math.prod(x[16 * b:16 * b + 16]) for b in range(2)]
#include "gpu.h"
__device__ void body(const double *x, double *products) {
  __shared__ double part[16];
  int t = threadIdx.x;
  part[t] = x[globalThread()];
  __syncthreads();
  for (int half = 8; half > 0; half /= 2) {
    if (t < half)
      part[t] *= part[t + half];
    __syncthreads();
  }
  if (t == 0)
    products[blockIdx.x] = part[0];
}
