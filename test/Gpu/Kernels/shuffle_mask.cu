// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lower half of a warp, with a mask that names it.
// launch: grid 1 block 32
// x: active 32
// y: active 32
// result: y = [v * x[i ^ 1] if i < 16 else v for i, v in enumerate(x)]
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int i = threadIdx.x;
  float v = x[i];
  if (i < 16)
    v *= __shfl_xor_sync(0xffffu, v, 1);
  y[i] = v;
}
