// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours on a ring, in many spellings: each thread has one of its own, so that no sum is
// atomic.
// launch: grid 4 block 16
// a: active 60
// b: active 60
// c: active 60
// d: active 60
// h: active 60
// y: active 60
// n: 60
// far: 17
// atomics: 0
// also: hip
#include "gpu.h"
__device__ void body(const double *__restrict__ a, const double *__restrict__ b,
                     const double *__restrict__ c, const double *__restrict__ d,
                     const double *__restrict__ h, double *__restrict__ y, int n, int far) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int right = i + 1;
  if (right == n)
    right = 0;
  int left = i == 0 ? n - 1 : i - 1;
  int further = i + far >= n ? i + far - n : i + far;
  unsigned turned = (unsigned(i) + 5u) % unsigned(n);
  size_t wide = (size_t(i) + n - 2) % size_t(n);
  double sum = a[right] * a[right] + b[left] * b[left];
  sum *= c[further] + d[turned] * d[turned];
  y[i] = sum * h[wide];
}
