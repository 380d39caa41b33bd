// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers from a counter: integers only, then a payoff.
// launch: grid 2 block 32
// s: active 64 in 90 110
// sigma: active 1 in 0.2 0.3
// y: active 64
// also: hip
#include "gpu.h"
__device__ unsigned mix(unsigned a) {
  a ^= a >> 16;
  a *= 0x7feb352du;
  a ^= a >> 15;
  a *= 0x846ca68bu;
  return a ^ a >> 16;
}
__device__ void body(const double *s, const double *sigma, double *y) {
  int i = globalThread();
  double sum = 0;
  for (unsigned path = 0; path < 8; ++path) {
    double u1 = (mix(8u * i + path) + 0.5) / 4294967296.0;
    double u2 = (mix(1000003u * i + path + 17) + 0.5) / 4294967296.0;
    double normal = sqrt(-2 * log(u1)) * cos(6.283185307179586 * u2);
    double end = s[i] * exp(-0.5 * sigma[0] * sigma[0] + sigma[0] * normal);
    sum += end > 95 ? end - 95 : 0;
  }
  y[i] = sum / 8;
}
