// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is not inlined, called twice.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ __noinline__ double f(double a, double b) { return a * exp(-b * b); }
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  y[i] = f(x[i], y[i]) + f(y[i], x[i]);
}
