// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the device that kernels are passed the addresses of, and read by
// name, too.
#include "check.h"

__device__ double state[24], dstate[24];
ADZE_SHADOW(state, dstate)
__device__ double table[24];
ADZE_NO_SHADOW(table)

__global__ void advance(double *s, const double *t, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] += a * s[i] * s[i] * t[i];
}
ADZE_KERNEL(advance, dup, dup, out, const)

__global__ void sum(double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = state[i] * state[(i + 1) % n];
}
ADZE_KERNEL(sum, dup, const)

// By an address of its own, and by name what others have by theirs.
__global__ void both(const double *s, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += s[i] * state[(i + 7) % n];
}
ADZE_KERNEL(both, dup, dup, const)

double f(const double *x, int n) {
  const size_t bytes = n * sizeof(double);
  double *s, *t, *y, factors[24], h[24];
  for (int i = 0; i < n; ++i)
    factors[i] = 1 + i % 3;
  cudaMemcpyToSymbol(table, factors, bytes);
  cudaMemcpyToSymbol(state, x, bytes);
  cudaGetSymbolAddress(&s, state);
  cudaGetSymbolAddress((void **)&t, (const void *)&table);
  cudaMalloc(&y, bytes);
  double total = 0;
  for (int k = 0; k < 3; ++k) {
    advance<<<2, 16>>>(s, t, 0.1 * x[k], n);
    sum<<<2, 16>>>(y, n);
    both<<<2, 16>>>(s, y, n);
    cudaMemcpy(h, y, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      total += h[i] * h[i];
  }
  cudaMemcpyFromSymbolAsync(h, state, bytes, 0, cudaMemcpyDeviceToHost);
  cudaFree(y);
  return total + h[3] * h[4];
}
CHECK(f, 24, 1e-11, 1e-6)
