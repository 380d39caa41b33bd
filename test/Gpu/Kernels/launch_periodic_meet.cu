// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Like neighbours on a ring, but threads meet: two neighbours of each, more threads than places,
// a ring that is too short, slices that overlap, steps of two, indices that stay within, turns to the wrong place.
// launch: grid 4 block 16
// both: active 60
// more: active 16
// few: active 12
// twice: active 60
// within: active 60
// wrong: active 60
// chosen: active 60
// slices: active 90
// y: active 64
// n: 60
// m: 16
// shift: 30
// also: hip
#include "gpu.h"
__device__ void body(const double *__restrict__ both, const double *__restrict__ more,
                     const double *__restrict__ few, const double *__restrict__ twice,
                     const double *__restrict__ within, const double *__restrict__ wrong,
                     const double *__restrict__ chosen, double *__restrict__ slices,
                     double *__restrict__ y, int n, int m, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = more[(i + 1) % m] * more[(i + 2) & 15];
  if (i < n) {
    sum += both[(i + 1) % n] * both[(i + n - 1) % n];
    sum *= slices[(i + 1) % n] + 3 * slices[shift + i];
    sum *= few[(i + 3) % 12] + twice[2 * i % n] * twice[(i + i + 1) % n];
    sum += within[i + 1 < n ? i + 1 : n - 1] * within[i > 0 ? i - 1 : 0];
    sum *= wrong[i + 1 == n ? 1 : i + 1] + wrong[i == 7 ? 0 : i] * 2;
    sum += chosen[i == 5 ? i - 3 : i] * chosen[i >= 30 ? i - 30 : i];
  }
  y[i] = sum;
}
