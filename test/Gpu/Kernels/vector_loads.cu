// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four floats at once.
// launch: grid 2 block 16
// x: active 128
// y: active 128
// also: hip
// result: y = [x[i] * x[i + 1] if i % 4 == 0 else x[i] + x[i + 1] ** 2 if i % 4 == 1 else x[i + 1] if i % 4 == 2 else x[i - 3] * x[i] for i in range(128)]
#include "gpu.h"
__device__ void body(const float4 *x, float4 *y) {
  int i = globalThread();
  float4 v = x[i];
  y[i] = make_float4(v.x * v.y, v.y + v.z * v.z, v.w, v.x * v.w);
}
