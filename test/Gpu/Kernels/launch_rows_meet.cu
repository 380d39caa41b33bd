// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a plane that are shorter than the launch is wide, and a loop that is longer than the step
// from one thread to the next.
// launch: grid 1,2 block 8,2
// plane: active 64
// lines: active 72
// out: active 32
// width: 6
// count: 3
// also: hip
// planted: atomics tests
#include "gpu.h"
__device__ void body(const double *plane, const double *lines, double *out, int width, int count) {
  int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  double sum = plane[y * width + x] * plane[y * width + x];
  for (int k = 0; k < count; ++k)
    sum += lines[2 * x + k + 16 * y];
  out[8 * y + x] = sum;
}
