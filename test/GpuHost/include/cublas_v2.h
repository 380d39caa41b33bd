// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As much of cuBLAS as the programs here call, with the names that its own
// header gives the functions. blas.cpp stands for the library.
#ifndef ADZE_TEST_CUBLAS_V2_H
#define ADZE_TEST_CUBLAS_V2_H

#include <cuda_runtime.h>

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_INVALID = 7 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t {
  CUBLAS_POINTER_MODE_HOST,
  CUBLAS_POINTER_MODE_DEVICE
};
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_PEDANTIC_MATH = 2 };
using cublasHandle_t = struct cublasContext *;

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t *);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream_v2(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);
// Nothing is known of its derivative.
cublasStatus_t cublasDrot_v2(cublasHandle_t, int, double *, int, double *, int,
                             const double *, const double *);

#define ADZE_TEST_BLAS(T, P)                                                   \
  cublasStatus_t cublas##P##asum_v2(cublasHandle_t, int, const T *, int, T *); \
  cublasStatus_t cublas##P##axpy_v2(cublasHandle_t, int, const T *, const T *, \
                                    int, T *, int);                            \
  cublasStatus_t cublas##P##copy_v2(cublasHandle_t, int, const T *, int, T *,  \
                                    int);                                      \
  cublasStatus_t cublas##P##dot_v2(cublasHandle_t, int, const T *, int,        \
                                   const T *, int, T *);                       \
  cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t, int, const T *, int, T *); \
  cublasStatus_t cublas##P##scal_v2(cublasHandle_t, int, const T *, T *, int); \
  cublasStatus_t cublas##P##swap_v2(cublasHandle_t, int, T *, int, T *, int);  \
  cublasStatus_t cublas##P##ger_v2(cublasHandle_t, int, int, const T *,        \
                                   const T *, int, const T *, int, T *, int);  \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t, cublasOperation_t, int,    \
                                    int, const T *, const T *, int, const T *, \
                                    int, const T *, T *, int);                 \
  cublasStatus_t cublas##P##gemm_v2(                                           \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,     \
      const T *, const T *, int, const T *, int, const T *, T *, int);         \
  cublasStatus_t cublas##P##geam(                                              \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,          \
      const T *, const T *, int, const T *, const T *, int, T *, int);         \
  cublasStatus_t cublas##P##trmm_v2(cublasHandle_t, cublasSideMode_t,          \
                                    cublasFillMode_t, cublasOperation_t,       \
                                    cublasDiagType_t, int, int, const T *,     \
                                    const T *, int, const T *, int, T *, int); \
  cublasStatus_t cublas##P##trsm_v2(                                           \
      cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,   \
      cublasDiagType_t, int, int, const T *, const T *, int, T *, int);
ADZE_TEST_BLAS(float, S)
ADZE_TEST_BLAS(double, D)
#undef ADZE_TEST_BLAS
}

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasDrot cublasDrot_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasStrmm cublasStrmm_v2
#define cublasDtrmm cublasDtrmm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2

#endif
