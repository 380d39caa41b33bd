// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole numbers decide where a kernel reads, and are overwritten in between:
// they have no derivative, but the reverse pass needs them.
#include "check.h"

__global__ void shift(int *index, int by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    index[i] = (index[i] + by) % n;
}
ADZE_KERNEL(shift, const, const, const)

__global__ void gather(const double *x, const int *index, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += x[index[i]] * x[i];
}
ADZE_KERNEL(gather, dup, const, dup, const)

double f(const double *x, int n) {
  double *dx, *dy;
  int *index;
  std::vector<int> first(n);
  for (int i = 0; i < n; ++i)
    first[i] = (7 * i) % n;
  cudaMalloc(&dx, n * sizeof(double));
  cudaMalloc(&dy, n * sizeof(double));
  cudaMalloc(&index, n * sizeof(int));
  cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(dy, 0, n * sizeof(double));
  cudaMemcpy(index, first.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int k = 0; k < 4; ++k) {
    gather<<<2, 32>>>(dx, index, dy, n);
    shift<<<2, 32>>>(index, k + 1, n);
    if (k == 2)
      cudaMemcpy(index, first.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  }
  cudaFree(index);
  std::vector<double> y(n);
  cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dy);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] * (i % 3 + 1);
  return sum;
}
CHECK(f, 61, 1e-12, 1e-6)
