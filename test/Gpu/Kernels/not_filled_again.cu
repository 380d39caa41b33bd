// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that read in shared memory what others have left, or that fill it twice.
// launch: grid 2 block 16
// x: active 96
// y: active 32
// n: 3
// also: hip
#include "gpu.h"
enum { N = 16 };

// Not all iterations fill the same.
__device__ double guarded(const double *__restrict__ x, int n, int t) {
  __shared__ double s[N];
  double acc = 1;
  s[t] = 1;
  __syncthreads();
  for (int p = 0; p < n; ++p) {
    if ((t + p) % 2 == 0)
      s[N - 1 - t] = x[p * N + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc = acc * 0.5 + acc * s[k] * s[(t + k) % N];
    __syncthreads();
  }
  return acc;
}

// Each fills another place, and reads all.
__device__ double moving(const double *__restrict__ x, int n, int t) {
  __shared__ double s[2 * N];
  double acc = 1;
  s[t] = 1, s[t + N] = 0.5;
  __syncthreads();
  for (int p = 0; p < n; ++p) {
    s[t + p * 2] = x[p * N + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc = acc * 0.5 + acc * s[k] * s[(t + k) % (2 * N)];
    __syncthreads();
  }
  return acc;
}

// It reads what the one before has filled.
__device__ double ahead(const double *__restrict__ x, int n, int t) {
  __shared__ double s[N];
  double acc = 1;
  s[t] = x[t];
  __syncthreads();
  for (int p = 0; p < n; ++p) {
    double next = x[(p + 1) * N + t];
    for (int k = 0; k < N; ++k)
      acc = acc * 0.5 + acc * s[k] * s[(t + k) % N];
    __syncthreads();
    s[t] = next;
    __syncthreads();
  }
  return acc * s[N - 1 - t];
}

// It fills one array twice.
__device__ double twice(const double *__restrict__ x, int n, int t) {
  __shared__ double s[N];
  double acc = 1;
  for (int p = 0; p < n; ++p) {
    s[t] = x[p * N + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc = acc * 0.5 + acc * s[k] * s[(t + k) % N];
    __syncthreads();
    s[t] = x[p * N + N - 1 - t] * 3;
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc = acc * 0.5 + acc * s[k] * s[(t + k) % N];
    __syncthreads();
  }
  return acc;
}

// What it does not fill is overwritten behind the loop.
__device__ double later(const double *__restrict__ x, int n, int t) {
  __shared__ double s[2 * N];
  double acc = 1;
  s[t + N] = x[t] * 2;
  for (int p = 0; p < n; ++p) {
    s[t] = x[p * N + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc = acc * 0.5 + acc * s[k] * s[(t + k) % (2 * N)];
    __syncthreads();
  }
  s[t + N] = acc;
  __syncthreads();
  return s[2 * N - 1 - t] * s[2 * N - 1 - t];
}

__device__ void body(const double *__restrict__ x, double *__restrict__ y, int n) {
  int t = threadIdx.x;
  y[globalThread()] = guarded(x, n, t) + moving(x, n, t) * ahead(x, n, t) +
                      twice(x, n, t) * later(x, n, t);
}
