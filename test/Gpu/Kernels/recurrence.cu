// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration needs what the one before has computed: kept, or run again.
// launch: grid 2 block 32
// x: active 64 in 0.1 0.9
// r: active 1 in 2.2 2.8
// steps: 9
// also: hip
#include "gpu.h"
__device__ void body(double *x, const double *r, int steps) {
  int i = globalThread();
  double v = x[i];
  for (int k = 0; k < steps; ++k)
    v = r[0] * v * (1 - v);
  x[i] = v;
}
