// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device library's functions of one double.
// launch: grid 1 block 32
// x: active 32 in 0.1 0.9
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = threadIdx.x;
  double v = x[i];
  y[i] = sin(v) + 2 * cos(v) + tan(v) + asin(v) * acos(v) + atan(v) + sinh(v) * cosh(v) +
         exp2(v) + expm1(v) + log(v) + log2(v) * log10(v) + log1p(v) + sqrt(v) + rsqrt(v) +
         cbrt(v) + erf(v) - erfc(v) * v;
}
