// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interpolation in an image at moving points.
// launch: grid 2 block 32
// image: active 100
// at: active 128 in 0.1 8.8
// y: active 64
// differences: 1e-5
#include "gpu.h"
__device__ void body(const double *image, const double *at, double *y) {
  int i = globalThread();
  double u = at[2 * i], v = at[2 * i + 1];
  int c = static_cast<int>(u), r = static_cast<int>(v);
  double fu = u - c, fv = v - r;
  const double *p = image + r * 10 + c;
  y[i] = (p[0] * (1 - fu) + p[1] * fu) * (1 - fv) + (p[10] * (1 - fu) + p[11] * fu) * fv;
}
