// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction in shared memory.
#include "check.h"

__global__ void sum_of_squares(const double *x, double *sums, int n) {
  __shared__ double part[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  part[t] = i < n ? x[i] * x[i] : 0;
  __syncthreads();
  for (int k = 16; k > 0; k /= 2) {
    if (t < k)
      part[t] += part[t + k];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0] * part[0];
}
ADZE_KERNEL(sum_of_squares, dup, dup, const)

double f(const double *x, int n) {
  const int blocks = (n + 31) / 32;
  double *dx, *sums;
  cudaMalloc(&dx, n * sizeof(double));
  cudaMalloc(&sums, blocks * sizeof(double));
  cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
  sum_of_squares<<<blocks, 32>>>(dx, sums, n);
  std::vector<double> y(blocks);
  cudaMemcpy(y.data(), sums, blocks * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(sums);
  double sum = 0;
  for (int i = 0; i < blocks; ++i)
    sum += y[i] / (1 + i);
  return sum;
}
CHECK(f, 100, 1e-12, 1e-6)
