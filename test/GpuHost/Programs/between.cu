// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies from memory of the device to memory of the device, and back and forth.
#include "check.h"

__global__ void scale(double *x, const double *by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= by[i];
}
ADZE_KERNEL(scale, dup, dup, const)

double f(const double *x, int n) {
  const size_t bytes = n * sizeof(double);
  double *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, 2 * bytes);
  cudaMemcpy(a, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(b + n, b, bytes, cudaMemcpyDeviceToDevice);
  scale<<<2, 32>>>(a, b + n, n);
  std::vector<double> y(n);
  cudaMemcpy(y.data(), a, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    y[i] = std::exp(0.1 * y[i]);
  cudaMemcpy(b, y.data(), bytes, cudaMemcpyHostToDevice);
  scale<<<2, 32>>>(b, a, n);
  scale<<<2, 32>>>(a, b, n);
  cudaMemcpy(y.data(), a, bytes, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i];
  return sum;
}
CHECK(f, 60, 1e-12, 1e-6)
