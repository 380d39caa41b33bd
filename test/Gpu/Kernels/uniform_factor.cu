// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads read one number: its adjoint is a sum over the grid.
// launch: grid 4 block 32
// a: active 1 in 0.5 2
// x: active 128
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *a, double *x) {
  int i = globalThread();
  x[i] = x[i] * a[0] + sin(a[0]);
}
