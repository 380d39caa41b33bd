// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recurrence of a constant number of steps.
// launch: grid 2 block 32
// x: active 64
#include "gpu.h"
__device__ void body(double *x) {
  int i = globalThread();
  double v = x[i];
  for (int k = 0; k < 16; ++k)
    v = 0.9 * v + 0.2 * sin(v);
  x[i] = v;
}
