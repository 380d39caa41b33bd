// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure of pointers, made by the thread.
// launch: grid 2 block 16
// x: active 32
// v: active 32
// m: active 32 in 1 2
// also: hip
#include "gpu.h"
struct Bodies {
  double *x, *v;
  const double *m;
};
__device__ void step(Bodies b, int i) {
  double force = -b.x[i] * b.x[i] * b.x[i];
  b.v[i] += 0.1 * force / b.m[i];
  b.x[i] += 0.1 * b.v[i];
}
__device__ void body(double *x, double *v, const double *m) {
  Bodies b = {x, v, m};
  step(b, globalThread());
  step(b, globalThread());
}
