// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of options.
// launch: grid 2 block 32
// s: active 64 in 80 120
// k: active 64 in 80 120
// vol: active 64 in 0.1 0.4
// y: active 64
// also: hip
#include "gpu.h"
__device__ double normal(double x) { return 0.5 * erfc(-x * 0.7071067811865476); }
__device__ void body(const double *s, const double *k, const double *vol, double *y) {
  int i = globalThread();
  double d1 = (log(s[i] / k[i]) + 0.02 + 0.5 * vol[i] * vol[i]) / vol[i], d2 = d1 - vol[i];
  y[i] = s[i] * normal(d1) - k[i] * exp(-0.02) * normal(d2);
}
