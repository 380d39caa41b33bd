// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Curves by repeated interpolation in a local array.
// launch: grid 1 block 32
// p: active 4
// t: active 32 in 0.1 0.9
// y: active 32
#include "gpu.h"
__device__ void body(const double *p, const double *t, double *y) {
  int i = threadIdx.x;
  double b[4] = {p[0], p[1], p[2], p[3]};
  for (int level = 3; level > 0; --level)
    for (int k = 0; k < level; ++k)
      b[k] += t[i] * (b[k + 1] - b[k]);
  y[i] = b[0];
}
