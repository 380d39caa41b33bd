// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads run for different numbers of iterations.
// launch: grid 2 block 32
// x: active 64
// count: const [i % 7 for i in range(64)]
// also: hip
#include "gpu.h"
__device__ void body(double *x, const int *count) {
  int i = globalThread();
  double v = x[i];
  for (int k = 0; k < count[i]; ++k)
    v += 0.3 * v * v;
  x[i] = v;
}
