// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macroscopic cross sections, as XSBench looks them up: a binary search on the unionized
// grid, then for each nuclide an interpolation between two rows of five numbers.
// launch: grid 4*SCALE block 64
// large: 4096
// grid: const [i / 1000.0 for i in range(1001)]
// index: const [min(62, i * 62 // 1000 + (i + n) % 2) for i in range(1001) for n in range(12)]
// energies: const [j / 63.0 for n in range(12) for j in range(64)]
// xs: active 3840 in 0.1 1
// density: active 12 in 0.1 1
// at: const 256*SCALE in 0.01 0.99
// out: active 1280*SCALE
// differences: 1e-5
#include "gpu.h"
enum { Points = 1001, Nuclides = 12, Rows = 64, Channels = 5 };

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
