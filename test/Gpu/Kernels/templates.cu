// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A functor as argument of a template.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
struct Cube {
  double factor;
  __device__ double operator()(double v) const { return factor * v * v * v; }
};
template <class F> __device__ void map(const double *x, double *y, int i, F f) { y[i] = f(x[i]); }
__device__ void body(const double *x, double *y) {
  map(x, y, globalThread(), Cube{0.5});
}
