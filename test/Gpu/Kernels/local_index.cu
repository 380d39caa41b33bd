// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's own array with an index that data give.
// launch: grid 2 block 16
// x: active 128
// index: const [(i * 5 + 2) % 4 for i in range(128)]
// y: active 32
#include "gpu.h"
__device__ void body(const double *x, const int *index, double *y) {
  int i = globalThread();
  double own[4] = {0, 0, 0, 0};
  for (int k = 0; k < 4; ++k)
    own[index[4 * i + k]] += x[4 * i + k] * (k + 1);
  y[i] = own[0] * own[1] + own[2] * own[3];
}
