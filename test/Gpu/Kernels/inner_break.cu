// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop within a loop, left early.
// launch: grid 1 block 64
// x: active 512 in 0.1 1
// y: active 64
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = threadIdx.x;
  double best = 0;
  for (int a = 0; a < 4; ++a) {
    double sum = 0;
    for (int b = 0; b < 8; ++b) {
      sum += x[8 * i + b] * (a + 1);
      if (sum > 3)
        break;
    }
    best += sum * sum;
  }
  y[i] = best;
}
