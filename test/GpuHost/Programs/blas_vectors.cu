// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS' functions of vectors, with scalars that have derivatives, strides in
// both directions, and results in memory of the host and of the device.
#include "check.h"
#include <adze/cublas.hpp>

constexpr int N = 6;

static double with_host_scalars(cublasHandle_t blas, double *d,
                                const double *x) {
  double alpha = 0.5 * x[0] * x[1], product, length, sum;
  cublasDaxpy(blas, N, &alpha, d, 1, d + N, 1);
  cublasDscal(blas, N / 2, &alpha, d + N, 2);
  cublasDcopy(blas, N, d + N, -1, d + 2 * N, 1);
  cublasDswap(blas, N, d, 1, d + 2 * N, 1);
  cublasDdot(blas, N, d, -1, d + N, 1, &product);
  cublasDnrm2(blas, N / 2, d, 2, &length);
  alpha = -1.5; // the calls have taken the other one
  cublasDaxpy(blas, N, &alpha, d, 1, d + N, -1);
  cublasDasum(blas, N / 2, d + N, 2, &sum);
  return product + length * sum;
}

static void with_device_scalars(cublasHandle_t blas, double *d) {
  double *result = d + 3 * N;
  cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
  cublasDdot(blas, N, d, 1, d + N, 1, result);
  cublasDscal(blas, N, result, d, 1);
  cublasDnrm2(blas, N, d, 1, result);
  cublasDaxpy(blas, N, result, d, 1, d + N, 1);
  cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST);
}

double f(const double *x, int n) {
  double start[3 * N];
  for (int i = 0; i < n; ++i)
    start[i] = 0.3 * x[i] * std::cos(2.0 * i);
  double *d;
  cudaMalloc(&d, (3 * N + 1) * sizeof(double));
  cudaMemcpy(d, start, sizeof(start), cudaMemcpyHostToDevice);
  cublasHandle_t blas;
  cublasCreate(&blas);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cublasSetStream(blas, s);
  const double result = with_host_scalars(blas, d, x);
  with_device_scalars(blas, d);
  cudaStreamSynchronize(s);
  cublasDestroy(blas);
  double y[3 * N], sum = result;
  cudaMemcpy(y, d, sizeof(y), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += std::sin(y[i]);
  cudaFree(d);
  cudaStreamDestroy(s);
  return sum;
}
CHECK(f, 3 * N, 1e-11, 1e-5)
