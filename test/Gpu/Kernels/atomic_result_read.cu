// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an atomic sum returns is used: the order decides, but not the sum of all.
// launch: grid 1 block 1
// x: active 8
// y: active 8
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    double before = atomicAdd(&y[0], x[k]);
    sum += before * x[k];
  }
  y[1] = sum;
}
