// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nine distributions collide, and stream to where they go.
// launch: grid 1 block 8,4
// f: active 288 in 0.5 1
// g: active 288
// omega: active 1 in 0.8 1.2
// also: hip
#include "gpu.h"
__device__ void body(const double *f, double *g, const double *omega) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const double w[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                       1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
  int x = threadIdx.x, y = threadIdx.y, at = y * 8 + x;
  double rho = 0, u = 0, v = 0;
  for (int k = 0; k < 9; ++k) {
    double p = f[k * 32 + at];
    rho += p;
    u += cx[k] * p;
    v += cy[k] * p;
  }
  u /= rho;
  v /= rho;
  for (int k = 0; k < 9; ++k) {
    double cu = 3 * (cx[k] * u + cy[k] * v);
    double e = w[k] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (u * u + v * v));
    int to = (y + cy[k] + 4) % 4 * 8 + (x + cx[k] + 8) % 8;
    g[k * 32 + to] = f[k * 32 + at] + omega[0] * (e - f[k * 32 + at]);
  }
}
