// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a warp as cooperative groups have them: lanes name those of their own tile, at
// distances that loops give, and lanes under a condition name each other.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// z: active 16
// also: hip
#include "gpu.h"
template <unsigned N> struct Tile {
  LaneMask mask;
  unsigned rank;
  __device__ Tile() : rank(threadIdx.x % N) {
    LaneMask ones = N == warpSize ? ALL_LANES : (LaneMask(1) << N) - 1;
    mask = ones << (laneId() & ~(N - 1));
  }
  template <class T> __device__ T down(T v, unsigned by) const {
    return __shfl_down_sync(mask, v, by, N);
  }
  template <class T> __device__ T up(T v, unsigned by) const {
    return __shfl_up_sync(mask, v, by, N);
  }
  template <class T> __device__ T of(T v, int from) const {
    return __shfl_sync(mask, v, from, N);
  }
  template <class T> __device__ T sum(T v) const {
    for (unsigned by = N / 2; by > 0; by /= 2)
      v += __shfl_xor_sync(mask, v, by, N);
    return v;
  }
  template <class T> __device__ T prefix(T v) const {
    for (unsigned by = 1; by < N; by *= 2) {
      T below = up(v, by);
      v = rank >= by ? v + below : v;
    }
    return v;
  }
};
__device__ double folded(const Tile<8> &tile, double v, int n) {
  for (int by = n; by > 0; by /= 2)
    v += tile.down(v * v, by);
  return tile.of(v, 0);
}
__device__ void body(const double *x, double *y, double *z) {
  int i = globalThread();
  double v = x[i];
  Tile<16> wide;
  Tile<8> tile;
  double s = wide.sum(v * v) * wide.prefix(v);
  s += folded(tile, v, 4) * wide.of(s, (i * 5 + 3) % 16);
  if (i % 8 < 5) { // part of each tile
    LaneMask some = __ballot_sync(LaneMask(0x1f1f1f1f1f1f1f1full), 1);
    s *= __shfl_sync(some, v, (laneId() & ~7u) + (i % 8 + 1) % 5);
  }
  y[i] = s;
  if (tile.rank == 0)
    z[i / 8] = s * v;
}
