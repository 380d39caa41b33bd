// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of the places that threads have of their own is read by all of them.
// launch: grid 2 block 16
// x: active 40
// y: active 32
// at: 9
// also: hip
// planted: atomics tests
#include "gpu.h"
__device__ void body(const double *x, double *y, int at) {
  int i = globalThread();
  y[i] = x[i] * x[at];
}
