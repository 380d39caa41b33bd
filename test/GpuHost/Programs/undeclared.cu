// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has a derivative goes to a variable of the device of which the program declares no shadow.
// stops: 'cudaMemcpyToSymbol': a variable of the device without a shadow
#include "check.h"

__constant__ double factor;

__global__ void scale(double *x, int n) {
  const int i = threadIdx.x;
  if (i < n)
    x[i] *= factor;
}
ADZE_KERNEL(scale, dup, const)

double f(const double *x, int n) {
  double *d, y[8];
  cudaMemcpyToSymbol(factor, x, sizeof(double));
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  scale<<<1, 8>>>(d, n);
  cudaMemcpy(y, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
  return y[1] + y[2];
}
CHECK(f, 8, 1e-12, 1e-6)
