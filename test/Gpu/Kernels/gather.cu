// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several threads may read one number.
// launch: grid 4 block 32
// x: active 50
// index: const [(i * i * 7 + 3) % 50 for i in range(128)]
// y: active 128
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *x, const int *index, double *y) {
  int i = globalThread();
  y[i] = sin(x[index[i]]) + x[(index[i] + 1) % 50];
}
