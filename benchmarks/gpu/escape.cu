// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recurrence whose number of steps differs from thread to thread, and is known at its end.
// launch: grid 4*SCALE block 64
// large: 4096
// also: hip
// x: active 256*SCALE in 0.05 0.5
// r: active 1 in 1.15 1.2
// y: active 256*SCALE
#include "gpu.h"
__device__ void body(const double *x, const double *r, double *y) {
  int i = globalThread();
  double v = x[i], factor = r[0];
  while (v < 1)
    v = factor * v + 0.1 * v * v;
  y[i] = v;
}

// At most 32 steps lead from 0.05 to 1.
__device__ void adjoint(const double *x, double *dx, const double *r, double *dr, double *y,
                        double *dy) {
  int i = globalThread(), steps = 0;
  double v = x[i], factor = r[0], kept[32];
  while (v < 1) {
    kept[steps++] = v;
    v = factor * v + 0.1 * v * v;
  }
  y[i] = v;
  double d = dy[i], own = 0;
  dy[i] = 0;
  while (steps > 0) {
    double u = kept[--steps];
    own += d * u;
    d *= factor + 0.2 * u;
  }
  dx[i] += d;
  for (int by = warpSize / 2; by > 0; by /= 2)
    own += __shfl_down_sync(ALL_LANES, own, by);
  if (laneId() == 0)
    atomicAdd(dr, own);
}
