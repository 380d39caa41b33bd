// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel, launched once.
#include "check.h"

__global__ void square(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i] * x[i];
}
ADZE_KERNEL(square, dup, dup, const)

double f(const double *x, int n) {
  double *dx, *dy;
  cudaMalloc(&dx, n * sizeof(double));
  cudaMalloc(&dy, n * sizeof(double));
  cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
  square<<<(n + 31) / 32, 32>>>(dx, dy, n);
  std::vector<double> y(n);
  cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] * y[i];
  cudaFree(dx);
  cudaFree(dy);
  return sum;
}
CHECK(f, 100, 1e-12, 1e-6)
