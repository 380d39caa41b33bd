// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes decide together: no floats move.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// result: y = [(lambda w: w * w if (x[i // 32 * 32] > 0) else w)(v * (2 if max(x[i // 32 * 32:i // 32 * 32 + 32]) > 0.9 else 1)) for i, v in enumerate(x)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = threadIdx.x;
  double v = x[i];
  if (__any_sync(ALL_LANES, v > 0.9))
    v *= 2;
  if (__ballot_sync(ALL_LANES, v > 0) & 1)
    v *= v;
  y[i] = v;
}
