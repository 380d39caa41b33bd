// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of an array that are shorter than the launch: threads meet in the next one.
// launch: grid 2 block 16
// x: active 72
// y: active 32
// n: 20
// also: hip
// planted: atomics tests
#include "gpu.h"
__device__ void body(const double *x, double *y, int n) {
  int i = globalThread();
  double product = 1;
  for (int k = 0; k < 3; ++k)
    product *= 1 + 0.5 * x[k * n + i];
  y[i] = product;
}
