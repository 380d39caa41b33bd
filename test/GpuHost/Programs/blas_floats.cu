// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS in single precision between a kernel and a copy: a linear layer whose
// weights are used twice, as networks have them.
#include "check.h"
#include <adze/cublas.hpp>

constexpr int N = 5, Batch = 3;

__global__ void activate(float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] / (1 + y[i] * y[i]);
}
ADZE_KERNEL(activate, dup, const)

double f(const double *x, int n) {
  std::vector<float> start(n);
  for (int i = 0; i < n; ++i)
    start[i] = float(x[i]);
  float *weights, *layers[3];
  cudaMalloc(&weights, N * N * sizeof(float));
  for (float *&layer : layers)
    cudaMalloc(&layer, N * Batch * sizeof(float));
  cudaMemcpy(weights, start.data(), N * N * sizeof(float),
             cudaMemcpyHostToDevice);
  cublasSetVector(N * Batch, sizeof(float), start.data() + N * N, 1, layers[0],
                  1);
  cublasHandle_t blas;
  cublasCreate(&blas);
  const float one = 1, zero = 0;
  for (int k = 0; k < 2; ++k) {
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, N, Batch, N, &one, weights, N,
                layers[k], N, &zero, layers[k + 1], N);
    activate<<<1, 16>>>(layers[k + 1], N * Batch);
  }
  float length;
  cublasSnrm2(blas, N * Batch, layers[2], 1, &length);
  float y[N * Batch];
  cublasGetVector(N * Batch, sizeof(float), layers[2], 1, y, 1);
  double sum = length;
  for (float each : y)
    sum += each;
  cublasDestroy(blas);
  cudaFree(weights);
  for (float *layer : layers)
    cudaFree(layer);
  return sum;
}
CHECK_STEP(f, N *N + N * Batch, 1e-4, 1e-2, 1e-2)
