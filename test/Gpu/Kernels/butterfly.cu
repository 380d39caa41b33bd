// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step of a Fourier transform.
// launch: grid 1 block 32
// re: active 64
// im: active 64
// also: hip
#include "gpu.h"
__device__ void body(double *re, double *im) {
  int t = threadIdx.x, a = t / 8 * 16 + t % 8, b = a + 8;
  double c = cos(0.39269908169872414 * (t % 8)), s = -sin(0.39269908169872414 * (t % 8));
  double u = c * re[b] - s * im[b], v = c * im[b] + s * re[b];
  re[b] = re[a] - u;
  im[b] = im[a] - v;
  re[a] += u;
  im[a] += v;
}
