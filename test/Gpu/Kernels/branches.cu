// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A switch and nested conditions.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// kind: const [i % 5 for i in range(64)]
#include "gpu.h"
__device__ void body(const double *x, double *y, const int *kind) {
  int i = globalThread();
  double v = x[i];
  switch (kind[i]) {
  case 0:
    v = sin(v);
    break;
  case 1:
    v = v > 0 ? v * v : -v;
    break;
  case 2:
    v += 1;
  case 3:
    v *= y[i];
    break;
  default:
    if (v > y[i])
      v -= y[i] * y[i];
  }
  y[i] = v;
}
