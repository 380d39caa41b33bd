// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS' functions of matrices: each operand transposed and not, leading
// dimensions that are larger than the matrix, updates in place, and scalars
// that have derivatives.
#include "check.h"
#include <adze/cublas.hpp>

constexpr int M = 3, N = 4, K = 2, Ld = 5, Size = Ld * Ld;

static void products(cublasHandle_t blas, double *a, double *b, double *c,
                     const double *x) {
  const double one = 1;
  double alpha = 0.3 * x[0], beta = x[1];
  for (cublasOperation_t left : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (cublasOperation_t right : {CUBLAS_OP_N, CUBLAS_OP_C}) {
      cublasDgemm(blas, left, right, M, N, K, &alpha, a, Ld, b, Ld, &beta, c,
                  Ld);
      cublasDgemv(blas, left, M, N, &alpha, c, Ld, a, 1, &one, b, -2);
      cublasDger(blas, M, N, &beta, b, 2, c, 1, a, Ld);
      beta = 0.5;
    }
  // What was there does not count.
  beta = 0;
  cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, M, K, N, &one, c, Ld, b, Ld,
              &beta, a, Ld);
}

static void sums(cublasHandle_t blas, double *a, double *b, double *c,
                 const double *x) {
  double alpha = x[2], beta = -x[3];
  cublasDgeam(blas, CUBLAS_OP_N, CUBLAS_OP_T, M, N, &alpha, a, Ld, &beta, b, Ld,
              c, Ld);
  cublasDgeam(blas, CUBLAS_OP_N, CUBLAS_OP_T, M, M, &alpha, a, Ld, &beta, c, Ld,
              a, Ld);
  cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, M, M, &beta, a, Ld, &alpha, b, Ld,
              b, Ld);
}

static void solves(cublasHandle_t blas, double *a, double *b, double *c,
                   const double *x) {
  double alpha = 0.5 + 0.1 * x[4];
  for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (cublasFillMode_t part :
         {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
      for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T})
        for (cublasDiagType_t unit : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
          cublasDtrsm(blas, side, part, op, unit, M, N, &alpha, a, Ld,
                      op == CUBLAS_OP_N ? b : c, Ld);
}

double f(const double *x, int n) {
  std::vector<double> start(4 * Size);
  for (int i = 0; i < 4 * Size; ++i)
    start[i] = 0.4 * x[i % n] * std::cos(0.3 * i);
  for (int i = 0; i < Ld; ++i)
    start[3 * Size + i * (Ld + 1)] = 1 + x[i]; // a triangle to divide by
  double *d;
  cudaMalloc(&d, 4 * Size * sizeof(double));
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetMatrix(2 * Ld, 2 * Ld, sizeof(double), start.data(), 2 * Ld, d,
                  2 * Ld);
  double *a = d, *b = d + Size, *c = d + 2 * Size, *t = d + 3 * Size;
  products(blas, a, b, c, x);
  sums(blas, a, b, c, x);
  solves(blas, t, b, c, x);
  double y[3], sum = 0;
  cublasGetVector(3, sizeof(double), c + 1, Ld, y, 1);
  for (double each : y)
    sum += each * each;
  cublasDestroy(blas);
  std::vector<double> end(4 * Size);
  cudaMemcpy(end.data(), d, 4 * Size * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4 * Size; ++i)
    sum += std::sin(0.2 * end[i]);
  cudaFree(d);
  return sum;
}
CHECK(f, 7, 1e-10, 1e-5)
