// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that fill shared memory, meet and read it: the reverse pass fills it again.
// launch: grid 2 block 16
// x: active 80
// w: active 16
// y: active 32
// n: 3
// also: hip
// planted: barriers atomics
#include "gpu.h"

// Two tiles, one of them turned, in an outer loop; what is beside them was filled before.
__device__ double tiles(const double *x, int n, int t) {
  __shared__ double s[18], r[2][16];
  double acc = 1, sum = 0;
  if (t == 0)
    s[16] = s[17] = 0.7 * x[0];
  for (int row = 0; row < n; ++row) {
    for (int part = 0; part < n; ++part) {
      s[t] = x[part * 16 + t] * (row + 1);
      r[t & 1][15 - t] = x[part * 16 + (t ^ 3)];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc = acc * 0.9 + s[k] * acc * s[k + 1] * s[17] * r[1 - (k & 1)][k];
      __syncthreads();
    }
    sum += acc;
  }
  return sum;
}

// A window that is filled by a loop, and a halo on conditions.
__device__ double windows(const double *__restrict__ x, int n, int t) {
  __shared__ double s[48];
  double acc = 1;
  for (int part = 0; part < n; ++part) {
    for (int k = t; k < 40; k += blockDim.x)
      s[k] = x[part * 16 + k];
    if (t < 4)
      s[40 + t] = 0.5 * x[part + t];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += sin(s[t + k]) * s[40 + k % 4] * acc;
    __syncthreads();
  }
  return acc;
}

// What is read in front of the last barrier is used behind it; own elements are read at once.
__device__ double behind(const double *__restrict__ x, const double *__restrict__ w, int n,
                         int t) {
  __shared__ double s[16];
  double acc = w[t];
  for (int part = n - 1; part >= 0; --part) {
    s[15 - t] = x[part * 16 + t];
    acc += s[15 - t] * s[15 - t];
    __syncthreads();
    double a = s[t], b = s[(t + 3) % 16];
    __syncthreads();
    acc = acc * a + b * b * sin(a);
  }
  return acc;
}

__device__ void body(const double *__restrict__ x, const double *__restrict__ w,
                     double *__restrict__ y, int n) {
  int t = threadIdx.x;
  y[globalThread()] = tiles(x, n, t) + windows(x, n, t) * behind(x, w, n, t);
}
