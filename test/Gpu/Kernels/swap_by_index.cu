// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of two halves trade what their own places hold.
// launch: grid 1 block 32
// x: active 64
// swap: const [i % 2 for i in range(32)]
#include "gpu.h"
__device__ void body(double *x, const int *swap) {
  int i = threadIdx.x;
  double a = x[i], b = x[i + 32];
  x[i] = swap[i] ? b * b : a;
  x[i + 32] = swap[i] ? a : b * a;
}
