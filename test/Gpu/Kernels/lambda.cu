// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lambda that captures by value and by reference.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
template <class F> __device__ double integrate(F f, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += f((k + 0.5) / n);
  return sum / n;
}
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  double a = x[i];
  const double &b = x[(i + 1) % 64];
  y[i] = integrate([=, &b](double t) { return sin(a * t) * b; }, 5);
}
