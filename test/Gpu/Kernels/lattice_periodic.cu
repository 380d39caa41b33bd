// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lattice-Boltzmann with five directions and periodic boundaries: cells pull from where the grid
// goes on. Each direction of a cell is read by one thread, so that no sum is atomic.
// launch: grid 2,2 block 4,4
// f: active 280
// g: active 280
// nx: 8
// ny: 7
// omega: 0.7
// atomics: 0
// also: hip
#include "gpu.h"
__device__ void body(const double *__restrict__ f, double *__restrict__ g, int nx, int ny,
                     double omega) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int n = nx * ny;
  int east = (x + 1) % nx, west = (x + nx - 1) % nx, north = (y + 1) % ny, south = (y - 1 + ny) % ny;
  double f0 = f[y * nx + x], f1 = f[n + y * nx + west], f2 = f[2 * n + south * nx + x];
  double f3 = f[3 * n + y * nx + east], f4 = f[4 * n + north * nx + x];
  double rho = f0 + f1 + f2 + f3 + f4, weight = rho * 0.2;
  double ux = (f1 - f3) / (4 + rho * rho), uy = (f2 - f4) / (4 + rho * rho);
  int i = y * nx + x;
  g[i] = f0 + omega * (weight - f0);
  g[n + i] = f1 + omega * (weight * (1 + ux) - f1);
  g[2 * n + i] = f2 + omega * (weight * (1 + uy) - f2);
  g[3 * n + i] = f3 + omega * (weight * (1 - ux) - f3);
  g[4 * n + i] = f4 + omega * (weight * (1 - uy) - f4);
}
