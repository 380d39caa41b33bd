// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two streams work on the halves of one array, and an event joins them.
#include "check.h"

__global__ void exponential(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i] + y[i] * x[i];
}
ADZE_KERNEL(exponential, dup, dup, const)

__global__ void product(const double *y, double *z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = y[i] * y[n - 1 - i];
}
ADZE_KERNEL(product, dup, dup, const)

double f(const double *x, int n) {
  const int half = n / 2;
  const size_t bytes = n * sizeof(double);
  double *pinned, *dx, *dy, *dz;
  cudaStream_t s[2];
  cudaEvent_t done;
  cudaMallocHost(&pinned, bytes);
  cudaMalloc(&dx, bytes);
  cudaMalloc(&dy, bytes);
  cudaMalloc(&dz, bytes);
  cudaEventCreate(&done);
  for (int i = 0; i < n; ++i)
    pinned[i] = x[i] * x[i];
  for (int k = 0; k < 2; ++k) {
    cudaStreamCreate(&s[k]);
    cudaMemcpyAsync(dx + k * half, pinned + k * half, half * sizeof(double),
                    cudaMemcpyHostToDevice, s[k]);
    cudaMemsetAsync(dy + k * half, 0, half * sizeof(double), s[k]);
    for (int j = 0; j < 3; ++j)
      exponential<<<2, 32, 0, s[k]>>>(dx + k * half, dy + k * half, half);
  }
  cudaEventRecord(done, s[1]);
  cudaStreamWaitEvent(s[0], done, 0);
  product<<<3, 32, 0, s[0]>>>(dy, dz, n);
  cudaMemcpyAsync(pinned, dz, bytes, cudaMemcpyDeviceToHost, s[0]);
  cudaStreamSynchronize(s[0]);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += pinned[i] * (1 + 0.01 * i);
  for (int k = 0; k < 2; ++k)
    cudaStreamDestroy(s[k]);
  cudaEventDestroy(done);
  cudaFreeHost(pinned);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  return sum;
}
CHECK(f, 80, 1e-12, 1e-6)
