// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planes and boxes of any width: each thread has its own places, so that no sum is atomic.
// launch: grid 2,2,2 block 4,2,2
// plane: active 88
// box: active 105
// columns: active 24
// out: active 105
// width: 7
// height: 3
// depth: 4
// atomics: 0
// also: hip
#include "gpu.h"
__device__ void body(const double *plane, const double *box, const double *columns, double *out,
                     int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth) {
    int at = (z * height + y) * width + x;
    out[at] = box[at] * box[at];
    if (z == 0)
      out[at] += x;
  }
}
