// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row for each thread, in place.
// launch: grid 1 block 32
// x: active 256
// also: hip
#include "gpu.h"
__device__ void body(double *x) {
  double *row = x + 8 * threadIdx.x;
  double top = row[0], sum = 0;
  for (int k = 1; k < 8; ++k)
    top = fmax(top, row[k]);
  for (int k = 0; k < 8; ++k) {
    row[k] = exp(row[k] - top);
    sum += row[k];
  }
  for (int k = 0; k < 8; ++k)
    row[k] /= sum;
}
