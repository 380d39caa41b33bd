// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of the library with two results in memory.
// launch: grid 1 block 32
// x: active 32
// y: active 32
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = threadIdx.x;
  double s, c;
  sincos(x[i], &s, &c);
  y[i] = s * c + 2 * s;
}
