// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours from a list, with a cut-off.
// launch: grid 1 block 32
// p: active 64 in 0 4
// list: const [(i + 1 + j * 3) % 32 for i in range(32) for j in range(6)]
// e: active 32
// differences: 1e-5
// also: hip
#include "gpu.h"
__device__ void body(const double *p, const int *list, double *e) {
  int i = threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 6; ++k) {
    int j = list[6 * i + k];
    double dx = p[2 * i] - p[2 * j], dy = p[2 * i + 1] - p[2 * j + 1];
    double r2 = dx * dx + dy * dy + 0.5;
    if (r2 < 6) {
      double s = 1 / (r2 * r2 * r2);
      sum += 4 * (s * s - s);
    }
  }
  e[i] = sum;
}
