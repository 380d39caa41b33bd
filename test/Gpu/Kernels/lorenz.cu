// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of Runge and Kutta, a system for each thread.
// launch: grid 1 block 32
// u: active 96
// p: active 3 in 1 3
// also: hip
#include "gpu.h"
__device__ void slope(const double *u, const double *p, double *du) {
  du[0] = p[0] * (u[1] - u[0]);
  du[1] = u[0] * (p[1] - u[2]) - u[1];
  du[2] = u[0] * u[1] - p[2] * u[2];
}
__device__ void body(double *u, const double *p) {
  int i = threadIdx.x;
  double v[3] = {u[3 * i], u[3 * i + 1], u[3 * i + 2]};
  for (int step = 0; step < 4; ++step) {
    double k1[3], k2[3], half[3];
    slope(v, p, k1);
    for (int c = 0; c < 3; ++c)
      half[c] = v[c] + 0.05 * k1[c];
    slope(half, p, k2);
    for (int c = 0; c < 3; ++c)
      v[c] += 0.1 * k2[c];
  }
  for (int c = 0; c < 3; ++c)
    u[3 * i + c] = v[c];
}
