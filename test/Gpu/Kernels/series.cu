// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose count is the same for all threads.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// terms: 12
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y, int terms) {
  int i = globalThread();
  double term = 1, sum = 1;
  for (int k = 1; k <= terms; ++k) {
    term *= x[i] / k;
    sum += term;
  }
  y[i] = sum;
}
