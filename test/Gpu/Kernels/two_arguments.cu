// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of two and three arguments.
// launch: grid 1 block 32
// a: active 32 in 0.3 2
// b: active 32 in 0.3 2
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const double *a, const double *b, double *y) {
  int i = threadIdx.x;
  y[i] = pow(a[i], b[i]) + atan2(a[i], b[i]) * hypot(a[i], b[i]) + fma(a[i], b[i], y[i]) +
         fmod(5 * a[i], 0.7) + copysign(a[i], y[i]);
}
