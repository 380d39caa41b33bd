// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macroscopic cross sections, as XSBench looks them up: a binary search on the unionized
// grid, then for each nuclide an interpolation between two rows of five numbers. Its small
// problem has 68 nuclides of 11,303 rows.
// launch: grid 4*SCALE block 64
// large: 4096
// also: hip
// tables: POINTS 1001 45213, NUCLIDES 12 68, ROWS 64 11303
// grid: const [i / (POINTS - 1.0) for i in range(POINTS)]
// index: const [min(ROWS - 2, i * (ROWS - 2) // (POINTS - 1) + (i + n) % 2) for i in range(POINTS) for n in range(NUCLIDES)]
// energies: const [j / (ROWS - 1.0) for n in range(NUCLIDES) for j in range(ROWS)]
// xs: active 5*NUCLIDES*ROWS in 0.1 1
// density: active NUCLIDES in 0.1 1
// at: const 256*SCALE in 0.01 0.99
// out: active 1280*SCALE
// differences: 1e-5
#include "gpu.h"
enum { Points = POINTS, Nuclides = NUCLIDES, Rows = ROWS, Channels = 5 };

__device__ int find(const double *grid, double energy) {
  int low = 0, high = Points - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (grid[middle] > energy)
      high = middle;
    else
      low = middle;
  }
  return low;
}

__device__ void body(const double *grid, const int *index, const double *energies,
                     const double *xs, const double *density, const double *at, double *out) {
  int i = globalThread();
  double energy = at[i], sum[Channels] = {0, 0, 0, 0, 0};
  int row = find(grid, energy);
  for (int n = 0; n < Nuclides; ++n) {
    int k = n * Rows + index[row * Nuclides + n];
    double f = (energy - energies[k]) / (energies[k + 1] - energies[k]);
    for (int c = 0; c < Channels; ++c)
      sum[c] += density[n] * (xs[k * Channels + c] * (1 - f) + xs[(k + 1) * Channels + c] * f);
  }
  for (int c = 0; c < Channels; ++c)
    out[i * Channels + c] = sum[c];
}

__device__ void adjoint(const double *grid, const int *index, const double *energies,
                        const double *xs, double *dxs, const double *density, double *ddensity,
                        const double *at, double *out, double *dout) {
  int i = globalThread();
  double energy = at[i], d[Channels], sum[Channels] = {0, 0, 0, 0, 0};
  int row = find(grid, energy);
  for (int c = 0; c < Channels; ++c) {
    d[c] = dout[i * Channels + c];
    dout[i * Channels + c] = 0;
  }
  for (int n = 0; n < Nuclides; ++n) {
    int k = n * Rows + index[row * Nuclides + n];
    double f = (energy - energies[k]) / (energies[k + 1] - energies[k]), own = 0;
    for (int c = 0; c < Channels; ++c) {
      double v = xs[k * Channels + c] * (1 - f) + xs[(k + 1) * Channels + c] * f;
      sum[c] += density[n] * v;
      own += d[c] * v;
      atomicAdd(&dxs[k * Channels + c], d[c] * density[n] * (1 - f));
      atomicAdd(&dxs[(k + 1) * Channels + c], d[c] * density[n] * f);
    }
    // The lanes of a warp add to one number.
    for (int by = warpSize / 2; by > 0; by /= 2)
      own += __shfl_down_sync(ALL_LANES, own, by);
    if (laneId() == 0)
      atomicAdd(&ddensity[n], own);
  }
  for (int c = 0; c < Channels; ++c)
    out[i * Channels + c] = sum[c];
}
