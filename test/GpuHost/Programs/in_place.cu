// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel overwrites what it reads, again and again: each step needs what the
// one before has left.
#include "check.h"

__global__ void step(double *x, int n, double a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + a * x[i] * x[i] * (1 - x[i]);
}
ADZE_KERNEL(step, dup, const, const)

double f(const double *x, int n) {
  const size_t bytes = n * sizeof(double);
  double *d;
  if (cudaMalloc(&d, bytes) != cudaSuccess)
    return 0;
  cudaMemcpy(d, x, bytes, cudaMemcpyHostToDevice);
  for (int k = 0; k < 7; ++k)
    step<<<2, 40>>>(d, n, 0.1 + 0.01 * k);
  double *y = new double[n];
  cudaMemcpy(y, d, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::sin(y[i]);
  delete[] y;
  cudaFree(d);
  return sum;
}
CHECK(f, 77, 1e-12, 1e-6)
