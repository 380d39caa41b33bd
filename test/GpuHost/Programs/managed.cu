// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory: code of the host reads and writes what kernels do.
#include "check.h"

__global__ void square(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] * x[i] + x[i] * x[i];
}
ADZE_KERNEL(square, dup, dup, const)

double f(const double *x, int n) {
  double *a, *b;
  cudaMallocManaged(&a, n * sizeof(double));
  cudaMallocManaged(&b, n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * x[i];
    b[i] = x[n - 1 - i];
  }
  for (int k = 0; k < 3; ++k) {
    square<<<4, 16>>>(a, b, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
      a[i] = 0.5 * b[i] + a[i] * x[i] * 0.1;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += b[i] * b[i] + a[i];
  cudaFree(a);
  cudaFree(b);
  return sum;
}
CHECK(f, 50, 1e-11, 1e-5)
