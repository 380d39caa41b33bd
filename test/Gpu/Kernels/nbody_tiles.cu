// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forces between bodies, which come in tiles.
// launch: grid 2 block 32
// p: active 192
// f: active 192
// also: hip
#include "gpu.h"
__device__ void body(const double *p, double *f) {
  __shared__ double tile[32][3];
  int t = threadIdx.x, i = globalThread();
  double x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2], fx = 0, fy = 0, fz = 0;
  for (int first = 0; first < 64; first += 32) {
    for (int k = 0; k < 3; ++k)
      tile[t][k] = p[3 * (first + t) + k];
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
      double dx = tile[j][0] - x, dy = tile[j][1] - y, dz = tile[j][2] - z;
      double r = rsqrt(dx * dx + dy * dy + dz * dz + 0.1);
      double s = r * r * r;
      fx += dx * s, fy += dy * s, fz += dz * s;
    }
    __syncthreads();
  }
  f[3 * i] = fx, f[3 * i + 1] = fy, f[3 * i + 2] = fz;
}
