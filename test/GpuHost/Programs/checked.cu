// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All results of the interface are looked at, and decide what is done next.
#include "check.h"

#define DO(call)                                                               \
  do                                                                           \
    if (cudaError_t error = call) {                                            \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error));               \
      return 0;                                                                \
    }                                                                          \
  while (0)

__global__ void square(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}
ADZE_KERNEL(square, dup, dup, const)

double f(const double *x, int n) {
  const size_t bytes = n * sizeof(double);
  double *a, *b, *h;
  DO(cudaMallocHost(&h, bytes));
  DO(cudaMalloc(&a, bytes));
  DO(cudaMalloc(&b, bytes));
  for (int i = 0; i < n; ++i)
    h[i] = x[i] * x[(i + 1) % n];
  DO(cudaMemset(b, 0, bytes));
  DO(cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice));
  square<<<4, 16>>>(a, b, n);
  DO(cudaGetLastError());
  DO(cudaDeviceSynchronize());
  DO(cudaMemcpy(h, b, bytes, cudaMemcpyDeviceToHost));
  DO(cudaFree(a));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i] * (1 + i % 2);
  DO(cudaFree(b));
  DO(cudaFreeHost(h));
  return sum;
}
CHECK(f, 60, 1e-12, 1e-6)
