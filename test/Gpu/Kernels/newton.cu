// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that ends when it has converged.
// launch: grid 2 block 32
// a: active 64 in 0.5 4
// y: active 64
// differences: 1e-5
// also: hip
#include "gpu.h"
__device__ void body(const double *a, double *y) {
  int i = globalThread();
  double v = 1;
  while (fabs(v * v * v - a[i]) > 1e-13)
    v -= (v * v * v - a[i]) / (3 * v * v);
  y[i] = v;
}
