// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four floats at once, to and from shared memory.
// launch: grid 1 block 32
// x: active 128
// y: active 128
#include "gpu.h"
__device__ void body(const float4 *x, float4 *y) {
  __shared__ float4 tile[32];
  int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  float4 a = tile[31 - t], b = x[t];
  y[t] = make_float4(a.x * b.y, a.y + b.x, a.z * a.w, b.w);
}
