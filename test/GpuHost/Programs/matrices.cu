// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices in blocks of two dimensions, in a loop with copies to
// the device and back.
#include "check.h"

__global__ void product(const double *__restrict__ a,
                        const double *__restrict__ b, double *__restrict__ c,
                        int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n)
    return;
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
ADZE_KERNEL(product, dup, dup, dup, const)

double f(const double *x, int n) {
  int side = 1;
  while ((side + 1) * (side + 1) <= n)
    ++side;
  const size_t bytes = side * side * sizeof(double);
  double *a, *b, *c, sum = 0;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  std::vector<double> h(side * side);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < side * side; ++i)
      h[i] = x[i] * (1 + k) + sum;
    cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, x, bytes, cudaMemcpyHostToDevice);
    product<<<dim3(2, 2), dim3(4, 4)>>>(a, b, c, side);
    cudaMemcpy(h.data(), c, bytes, cudaMemcpyDeviceToHost);
    for (double v : h)
      sum += 0.01 * v;
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return sum;
}
CHECK(f, 50, 1e-11, 1e-6)
