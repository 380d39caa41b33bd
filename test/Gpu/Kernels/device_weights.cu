// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the device that the kernel reads alone: numbers, and functions.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ double weights[4] = {1, 2, 3, 4};
typedef double (*Function)(double);
__device__ double square(double x) { return x * x; }
__device__ double cube(double x) { return x * x * x; }
__device__ Function functions[2] = {square, cube};
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  y[i] = weights[i % 4] * functions[i % 2](x[i]);
}
