// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread adds once what it has summed up.
// launch: grid 2 block 32
// x: active 300
// sum: active 2
// n: 300
#include "gpu.h"
__device__ void body(const double *x, double *sum, int n) {
  double a = 0, b = 0;
  for (int i = globalThread(); i < n; i += globalThreads()) {
    a += x[i];
    b += x[i] * x[i];
  }
  atomicAdd(&sum[0], a);
  atomicAdd(&sum[1], b);
}
