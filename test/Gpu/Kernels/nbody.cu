// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same without tiles.
// launch: grid 1 block 32
// p: active 96
// f: active 96
// also: hip
#include "gpu.h"
__device__ void body(const double *p, double *f) {
  int i = threadIdx.x;
  double fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < 32; ++j) {
    double dx = p[3 * j] - p[3 * i], dy = p[3 * j + 1] - p[3 * i + 1];
    double dz = p[3 * j + 2] - p[3 * i + 2];
    double r = 1 / sqrt(dx * dx + dy * dy + dz * dz + 0.1);
    double s = r * r * r;
    fx += dx * s, fy += dy * s, fz += dz * s;
  }
  f[3 * i] = fx, f[3 * i + 1] = fy, f[3 * i + 2] = fz;
}
