// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are not inlined, and whose reverse needs what they had: memory of the
// caller that they change, arrays of their own, calls of others, in a loop.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ __noinline__ void inner(double *p, double t) {
  p[0] = p[0] * p[1] + t;
  p[1] = p[1] * p[0];
}
__device__ __noinline__ void outer(double *p, double t) {
  inner(p, t);
  p[0] *= p[1];
  inner(p, t * t);
}
__device__ __noinline__ double polynomial(const double *c, double t) {
  double b[4];
  for (int i = 0; i < 4; ++i)
    b[i] = c[i] * t;
  for (int j = 3; j > 0; --j)
    for (int i = 0; i < j; ++i)
      b[i] = b[i] * b[i + 1] + t;
  return b[0];
}
__device__ __noinline__ void step(double *y, double x) { *y = *y * x + *y * *y * 0.1; }
__device__ void body(const double *x, double *y) {
  int i = threadIdx.x;
  double c[4];
  for (int k = 0; k < 4; ++k)
    c[k] = x[(i + k) % 64];
  outer(c + 1, x[i]);
  c[1] = polynomial(c, x[i]);
  for (int k = 0; k < 3; ++k)
    step(&y[i], c[k]);
  y[i] *= polynomial(c, c[1]);
}
