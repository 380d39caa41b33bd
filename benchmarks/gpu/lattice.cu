// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lattice-Boltzmann in two dimensions: nine distributions collide and stream.
// launch: grid 2,2*SCALE block 32,4
// large: 1024
// also: hip
// f: active 4608*SCALE in 0.5 1
// g: active 4608*SCALE
// omega: active 1 in 0.8 1.2
// n: 512*SCALE
#include "gpu.h"
#define DIRECTIONS                                                                                 \
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};        \
  const double w[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,                             \
                       1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};                                    \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;        \
  int rows = n / 64, at = y * 64 + x

__device__ int streamed(int x, int y, int cx, int cy, int rows) {
  int to = y + cy;
  to = to < 0 ? rows - 1 : to == rows ? 0 : to;
  return to * 64 + ((x + cx) & 63);
}

__device__ void body(const double *f, double *g, const double *omega, int n) {
  DIRECTIONS;
  double rho = 0, u = 0, v = 0, o = omega[0];
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    double p = f[k * n + at];
    rho += p;
    u += cx[k] * p;
    v += cy[k] * p;
  }
  u /= rho;
  v /= rho;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    double cu = 3 * (cx[k] * u + cy[k] * v);
    double e = w[k] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (u * u + v * v));
    g[k * n + streamed(x, y, cx[k], cy[k], rows)] = f[k * n + at] + o * (e - f[k * n + at]);
  }
}

__device__ void adjoint(const double *f, double *df, double *g, double *dg, const double *omega,
                        double *domega, int n) {
  DIRECTIONS;
  double rho = 0, u = 0, v = 0, o = omega[0], own[9], back[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    double p = own[k] = f[k * n + at];
    rho += p;
    u += cx[k] * p;
    v += cy[k] * p;
  }
  double r = 1 / rho;
  u *= r;
  v *= r;
  double drho = 0, du = 0, dv = 0, d = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    int to = k * n + streamed(x, y, cx[k], cy[k], rows);
    double cu = 3 * (cx[k] * u + cy[k] * v);
    double e = 1 + cu + 0.5 * cu * cu - 1.5 * (u * u + v * v);
    double a = dg[to], feq = w[k] * rho * e;
    g[to] = own[k] + o * (feq - own[k]);
    dg[to] = 0;
    back[k] = a * (1 - o);
    d += a * (feq - own[k]);
    double de = a * o * w[k];
    drho += de * e;
    de *= rho;
    du += de * (3 * cx[k] * (1 + cu) - 3 * u);
    dv += de * (3 * cy[k] * (1 + cu) - 3 * v);
  }
  drho -= (du * u + dv * v) * r;
  du *= r;
  dv *= r;
#pragma unroll
  for (int k = 0; k < 9; ++k)
    df[k * n + at] += back[k] + drho + cx[k] * du + cy[k] * dv;
  for (int by = warpSize / 2; by > 0; by /= 2)
    d += __shfl_down_sync(ALL_LANES, d, by);
  if (laneId() == 0)
    atomicAdd(domega, d);
}
