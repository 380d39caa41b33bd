// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS for programs that run without a GPU: plain loops, each in its turn of
// the handle's stream. Operands must be memory of the device, and scalars what
// the handle's pointer mode says.
#include "cublas_v2.h"
#include "runtime.h"

#include <cmath>
#include <cstring>
#include <vector>

struct cublasContext {
  cudaStream_t Stream = nullptr;
  cublasPointerMode_t Mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t Math = CUBLAS_DEFAULT_MATH;
  bool IsAlive = true;
};

namespace {

cublasContext &of(cublasHandle_t H) {
  if (!H || !H->IsAlive)
    runtime::fail("a handle of cuBLAS that was destroyed is used");
  return *H;
}

/// A scalar: read at once, or when the call is run.
template <class T> std::function<T()> scalar(cublasHandle_t H, const T *P) {
  const bool OnDevice = of(H).Mode == CUBLAS_POINTER_MODE_DEVICE;
  if (runtime::isOnDevice(P) != OnDevice)
    runtime::fail("a scalar of cuBLAS is not where its handle says");
  if (OnDevice)
    return [P] { return *P; };
  return [Value = *P] { return Value; };
}

/// A matrix, or a vector as one of one row.
template <class T> struct Matrix {
  T *P;
  int Rows, Columns;
  long Ld;

  Matrix(T *P, int Rows, int Columns, int Ld)
      : P(P), Rows(Rows), Columns(Columns), Ld(Ld) {
    if (!Rows || !Columns)
      return;
    if (!runtime::isOnDevice(P))
      runtime::fail("an operand of cuBLAS is no memory of the device");
    if (Ld < Rows)
      runtime::fail("a leading dimension is too small");
    runtime::checkRange(P, (Rows + (Columns - 1) * this->Ld) * sizeof(T),
                        "an operand of cuBLAS");
  }
  T &operator()(int I, int J) const { return P[I + J * Ld]; }
  T at(int I, int J, cublasOperation_t Op) const {
    return Op == CUBLAS_OP_N ? (*this)(I, J) : (*this)(J, I);
  }
};
template <class T>
Matrix<T> stored(T *P, int Rows, int Columns, cublasOperation_t Op, int Ld) {
  return Op == CUBLAS_OP_N ? Matrix<T>(P, Rows, Columns, Ld)
                           : Matrix<T>(P, Columns, Rows, Ld);
}

template <class T> struct Vector {
  T *P;
  int Count;
  long Inc;

  Vector(T *P, int Count, int Inc) : P(P), Count(Count), Inc(Inc) {
    Matrix<T>(P, 1, Count, std::abs(Inc));
  }
  T &operator[](int I) const {
    return P[(Inc < 0 ? (1 - Count) * Inc : 0) + I * Inc];
  }
};

template <class Work> cublasStatus_t run(cublasHandle_t H, Work W) {
  runtime::enqueue(of(H).Stream, W);
  return CUBLAS_STATUS_SUCCESS;
}

/// A result goes to memory of the device, or of the host, for which the call
/// waits.
template <class T, class Work>
cublasStatus_t result(cublasHandle_t H, T *To, Work W) {
  const bool OnDevice = of(H).Mode == CUBLAS_POINTER_MODE_DEVICE;
  if (runtime::isOnDevice(To) != OnDevice)
    runtime::fail("a result of cuBLAS is not where its handle says");
  runtime::enqueue(H->Stream, [=] { *To = W(); });
  if (!OnDevice)
    cudaStreamSynchronize(H->Stream);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t gemm(cublasHandle_t H, cublasOperation_t OpA,
                    cublasOperation_t OpB, int M, int N, int K, const T *Alpha,
                    Matrix<const T> A, Matrix<const T> B, const T *Beta,
                    Matrix<T> C) {
  auto a = scalar(H, Alpha), b = scalar(H, Beta);
  return run(H, [=] {
    for (int J = 0; J < N; ++J)
      for (int I = 0; I < M; ++I) {
        T Sum = 0;
        for (int L = 0; L < K; ++L)
          Sum += A.at(I, L, OpA) * B.at(L, J, OpB);
        C(I, J) = a() * Sum + (b() == 0 ? 0 : b() * C(I, J));
      }
  });
}

/// op(A)(I, J) of a triangle.
template <class T>
T ofTriangle(const Matrix<const T> &A, int I, int J, cublasFillMode_t Part,
             cublasOperation_t Op, cublasDiagType_t Unit) {
  if (Op != CUBLAS_OP_N)
    std::swap(I, J);
  if (I == J)
    return Unit == CUBLAS_DIAG_UNIT ? 1 : A(I, I);
  return (I > J) == (Part == CUBLAS_FILL_MODE_LOWER) ? A(I, J) : 0;
}

/// Solves by elimination without knowing of triangles' order: they are small.
template <class T>
void solve(int N, const std::function<T(int, int)> &A,
           const std::function<T &(int)> &X) {
  std::vector<T> Left(size_t(N) * N), Y(N);
  for (int I = 0; I < N; ++I) {
    Y[I] = X(I);
    for (int J = 0; J < N; ++J)
      Left[I * N + J] = A(I, J);
  }
  for (int K = 0; K < N; ++K)
    for (int I = 0; I < N; ++I) {
      if (I == K)
        continue;
      const T Factor = Left[I * N + K] / Left[K * N + K];
      for (int J = 0; J < N; ++J)
        Left[I * N + J] -= Factor * Left[K * N + J];
      Y[I] -= Factor * Y[K];
    }
  for (int I = 0; I < N; ++I)
    X(I) = Y[I] / Left[I * N + I];
}

cublasStatus_t transfer(int Rows, int Columns, int Size, const void *A, int Lda,
                        void *B, int Ldb) {
  for (int J = 0; J < Columns; ++J)
    cudaMemcpy(static_cast<char *>(B) + size_t(J) * Ldb * Size,
               static_cast<const char *>(A) + size_t(J) * Lda * Size,
               size_t(Rows) * Size, cudaMemcpyDefault);
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *To) {
  *To = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t H) {
  of(H).IsAlive = false; // kept, to find who uses it then
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t H, cudaStream_t S) {
  of(H).Stream = S;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t H, cudaStream_t *S) {
  *S = of(H).Stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t H,
                                       cublasPointerMode_t M) {
  of(H).Mode = M;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t H,
                                       cublasPointerMode_t *M) {
  *M = of(H).Mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t H, cublasMath_t M) {
  of(H).Math = M;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetMathMode(cublasHandle_t H, cublasMath_t *M) {
  *M = of(H).Math;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMatrix(int Rows, int Columns, int Size, const void *A,
                               int Lda, void *B, int Ldb) {
  return transfer(Rows, Columns, Size, A, Lda, B, Ldb);
}
cublasStatus_t cublasGetMatrix(int Rows, int Columns, int Size, const void *A,
                               int Lda, void *B, int Ldb) {
  return transfer(Rows, Columns, Size, A, Lda, B, Ldb);
}
cublasStatus_t cublasSetVector(int N, int Size, const void *X, int IncX,
                               void *Y, int IncY) {
  return transfer(1, N, Size, X, IncX, Y, IncY);
}
cublasStatus_t cublasGetVector(int N, int Size, const void *X, int IncX,
                               void *Y, int IncY) {
  return transfer(1, N, Size, X, IncX, Y, IncY);
}

#define BLAS(T, P)                                                             \
  cublasStatus_t cublas##P##asum_v2(cublasHandle_t H, int N, const T *X,       \
                                    int IncX, T *R) {                          \
    Vector<const T> x(X, N, IncX);                                             \
    return result(H, R, [=] {                                                  \
      T Sum = 0;                                                               \
      for (int I = 0; I < N; ++I)                                              \
        Sum += std::fabs(x[I]);                                                \
      return Sum;                                                              \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t H, int N, const T *X,       \
                                    int IncX, T *R) {                          \
    Vector<const T> x(X, N, IncX);                                             \
    return result(H, R, [=] {                                                  \
      T Sum = 0;                                                               \
      for (int I = 0; I < N; ++I)                                              \
        Sum += x[I] * x[I];                                                    \
      return std::sqrt(Sum);                                                   \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##dot_v2(cublasHandle_t H, int N, const T *X,        \
                                   int IncX, const T *Y, int IncY, T *R) {     \
    Vector<const T> x(X, N, IncX), y(Y, N, IncY);                              \
    return result(H, R, [=] {                                                  \
      T Sum = 0;                                                               \
      for (int I = 0; I < N; ++I)                                              \
        Sum += x[I] * y[I];                                                    \
      return Sum;                                                              \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##axpy_v2(cublasHandle_t H, int N, const T *Alpha,   \
                                    const T *X, int IncX, T *Y, int IncY) {    \
    Vector<const T> x(X, N, IncX);                                             \
    Vector<T> y(Y, N, IncY);                                                   \
    auto a = scalar(H, Alpha);                                                 \
    return run(H, [=] {                                                        \
      for (int I = 0; I < N; ++I)                                              \
        y[I] += a() * x[I];                                                    \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##copy_v2(cublasHandle_t H, int N, const T *X,       \
                                    int IncX, T *Y, int IncY) {                \
    Vector<const T> x(X, N, IncX);                                             \
    Vector<T> y(Y, N, IncY);                                                   \
    return run(H, [=] {                                                        \
      for (int I = 0; I < N; ++I)                                              \
        y[I] = x[I];                                                           \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##scal_v2(cublasHandle_t H, int N, const T *Alpha,   \
                                    T *X, int IncX) {                          \
    Vector<T> x(X, N, IncX);                                                   \
    auto a = scalar(H, Alpha);                                                 \
    return run(H, [=] {                                                        \
      for (int I = 0; I < N; ++I)                                              \
        x[I] *= a();                                                           \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##swap_v2(cublasHandle_t H, int N, T *X, int IncX,   \
                                    T *Y, int IncY) {                          \
    Vector<T> x(X, N, IncX), y(Y, N, IncY);                                    \
    return run(H, [=] {                                                        \
      for (int I = 0; I < N; ++I)                                              \
        std::swap(x[I], y[I]);                                                 \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##ger_v2(cublasHandle_t H, int M, int N,             \
                                   const T *Alpha, const T *X, int IncX,       \
                                   const T *Y, int IncY, T *A, int Lda) {      \
    Vector<const T> x(X, M, IncX), y(Y, N, IncY);                              \
    Matrix<T> a(A, M, N, Lda);                                                 \
    auto Factor = scalar(H, Alpha);                                            \
    return run(H, [=] {                                                        \
      for (int J = 0; J < N; ++J)                                              \
        for (int I = 0; I < M; ++I)                                            \
          a(I, J) += Factor() * x[I] * y[J];                                   \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t H, cublasOperation_t Op,    \
                                    int M, int N, const T *Alpha, const T *A,  \
                                    int Lda, const T *X, int IncX,             \
                                    const T *Beta, T *Y, int IncY) {           \
    const int Rows = Op == CUBLAS_OP_N ? M : N, Columns = M + N - Rows;        \
    Matrix<const T> a(A, M, N, Lda);                                           \
    Vector<const T> x(X, Columns, IncX);                                       \
    Vector<T> y(Y, Rows, IncY);                                                \
    auto Factor = scalar(H, Alpha), b = scalar(H, Beta);                       \
    return run(H, [=] {                                                        \
      for (int I = 0; I < Rows; ++I) {                                         \
        T Sum = 0;                                                             \
        for (int J = 0; J < Columns; ++J)                                      \
          Sum += a.at(I, J, Op) * x[J];                                        \
        y[I] = Factor() * Sum + (b() == 0 ? 0 : b() * y[I]);                   \
      }                                                                        \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##gemm_v2(                                           \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const T *A, int Lda, const T *B, int Ldb,  \
      const T *Beta, T *C, int Ldc) {                                          \
    return gemm<T>(H, OpA, OpB, M, N, K, Alpha, stored(A, M, K, OpA, Lda),     \
                   stored(B, K, N, OpB, Ldb), Beta, {C, M, N, Ldc});           \
  }                                                                            \
  cublasStatus_t cublas##P##geam(                                              \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, const T *Alpha, const T *A, int Lda, const T *Beta, const T *B,   \
      int Ldb, T *C, int Ldc) {                                                \
    if ((A == C && (OpA != CUBLAS_OP_N || Lda != Ldc)) ||                      \
        (B == C && (OpB != CUBLAS_OP_N || Ldb != Ldc)))                        \
      runtime::fail("geam in place, of another shape");                        \
    auto Left = stored(A, M, N, OpA, Lda), Right = stored(B, M, N, OpB, Ldb);  \
    Matrix<T> c(C, M, N, Ldc);                                                 \
    auto a = scalar(H, Alpha), b = scalar(H, Beta);                            \
    return run(H, [=] {                                                        \
      for (int J = 0; J < N; ++J)                                              \
        for (int I = 0; I < M; ++I)                                            \
          c(I, J) = (a() == 0 ? 0 : a() * Left.at(I, J, OpA)) +                \
                    (b() == 0 ? 0 : b() * Right.at(I, J, OpB));                \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##trmm_v2(                                           \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Part,          \
      cublasOperation_t Op, cublasDiagType_t Unit, int M, int N,               \
      const T *Alpha, const T *A, int Lda, const T *B, int Ldb, T *C,          \
      int Ldc) {                                                               \
    const int Size = Side == CUBLAS_SIDE_LEFT ? M : N;                         \
    Matrix<const T> a(A, Size, Size, Lda), b(B, M, N, Ldb);                    \
    Matrix<T> c(C, M, N, Ldc);                                                 \
    auto Factor = scalar(H, Alpha);                                            \
    return run(H, [=] {                                                        \
      for (int J = 0; J < N; ++J)                                              \
        for (int I = 0; I < M; ++I) {                                          \
          T Sum = 0;                                                           \
          for (int L = 0; L < Size; ++L)                                       \
            Sum += Side == CUBLAS_SIDE_LEFT                                    \
                       ? ofTriangle(a, I, L, Part, Op, Unit) * b(L, J)         \
                       : b(I, L) * ofTriangle(a, L, J, Part, Op, Unit);        \
          c(I, J) = Factor() * Sum;                                            \
        }                                                                      \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##P##trsm_v2(                                           \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Part,          \
      cublasOperation_t Op, cublasDiagType_t Unit, int M, int N,               \
      const T *Alpha, const T *A, int Lda, T *B, int Ldb) {                    \
    const bool IsLeft = Side == CUBLAS_SIDE_LEFT;                              \
    const int Size = IsLeft ? M : N;                                           \
    Matrix<const T> a(A, Size, Size, Lda);                                     \
    Matrix<T> b(B, M, N, Ldb);                                                 \
    auto Factor = scalar(H, Alpha);                                            \
    return run(H, [=] {                                                        \
      for (int K = 0; K < M + N - Size; ++K) {                                 \
        auto x = [=](int I) -> T & { return IsLeft ? b(I, K) : b(K, I); };     \
        for (int I = 0; I < Size; ++I)                                         \
          x(I) *= Factor();                                                    \
        solve<T>(                                                              \
            Size,                                                              \
            [=](int I, int J) {                                                \
              return IsLeft ? ofTriangle(a, I, J, Part, Op, Unit)              \
                            : ofTriangle(a, J, I, Part, Op, Unit);             \
            },                                                                 \
            x);                                                                \
      }                                                                        \
    });                                                                        \
  }
BLAS(float, S)
BLAS(double, D)
}
