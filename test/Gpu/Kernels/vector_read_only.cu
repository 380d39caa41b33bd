// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four floats at once, by a load that promises that nobody writes.
// launch: grid 2 block 16
// x: active 128
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const float4 *x, float *y) {
  int i = globalThread();
  float4 v = __ldg(&x[i]);
  y[i] = v.x * v.y + v.z * v.w;
}
