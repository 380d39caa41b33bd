// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is not inlined gets memory of the thread, and of all threads: a
// GPU has no atomic operations on the first.
// launch: grid 2 block 32
// u: active 192
// p: active 3 in 1 3
// y: active 192
#include "gpu.h"
__attribute__((noinline)) __device__ void slope(const double *u, const double *p, double *du) {
  du[0] = p[0] * (u[1] - u[0]);
  du[1] = u[0] * (p[1] - u[2]) - u[1];
  du[2] = u[0] * u[1] - p[2] * u[2];
}
__device__ void body(const double *u, const double *p, double *y) {
  int i = globalThread();
  double first[3], half[3];
  slope(u + 3 * i, p, first);
  for (int c = 0; c < 3; ++c)
    half[c] = u[3 * i + c] + 0.05 * first[c];
  slope(half, p, y + 3 * i);
}
