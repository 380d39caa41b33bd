// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers by value that are active, two in one launch, and of both types.
#include "check.h"

__global__ void line(const float *x, float *y, int n, double a, float b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = float(a) * x[i] * x[i] + b * b;
}
ADZE_KERNEL(line, dup, dup, const, out, out)

double f(const double *x, int n) {
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = float(x[i]);
  float *dx, *dy;
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMemcpy(dx, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  line<<<2, 32>>>(dx, dy, n, x[0] * x[1], float(x[2]));
  cudaMemcpy(h.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dy);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i] * (1 + 0.1 * i);
  return sum;
}
CHECK_STEP(f, 50, 1e-5, 2e-3, 1e-2)
