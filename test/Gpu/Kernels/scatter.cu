// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation says where the results go.
// launch: grid 2 block 32
// x: active 64
// to: const [(i * 27 + 5) % 64 for i in range(64)]
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const double *x, const int *to, double *y) {
  int i = globalThread();
  y[to[i]] = x[i] * x[i];
}
