// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resonances as in RSBench: complex quotients, summed up.
// launch: grid 2 block 32
// poles: active 32 in 0.5 1.5
// energy: active 64 in 2 3
// y: active 64
#include "gpu.h"
__device__ void body(const double *poles, const double *energy, double *y) {
  int i = globalThread();
  double re = 0, im = 0;
  for (int k = 0; k < 8; ++k) {
    const double *p = poles + 4 * k;
    double a = p[0] - energy[i], b = p[1], d = a * a + b * b;
    re += (p[2] * a + p[3] * b) / d;
    im += (p[3] * a - p[2] * b) / d;
  }
  y[i] = re * re + im * im;
}
