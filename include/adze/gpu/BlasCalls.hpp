// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives of cuBLAS calls are made of: cuBLAS by templates of the
// element, and the few kernels that it does not have. Matrices are stored by
// columns; a vector is a matrix of one row, with its stride between columns.
#ifndef ADZE_GPU_BLASCALLS_HPP
#define ADZE_GPU_BLASCALLS_HPP

#include "adze/gpu/Copies.hpp"

#include <cublas_v2.h>

namespace adze::gpu::blas {

using handle = cublasHandle_t;
using operation = cublasOperation_t;
using triangle = cublasFillMode_t;

/// The functions of cuBLAS for elements T.
template <class T> struct functions;

#define ADZE_GPU_BLAS_FUNCTIONS(T, P)                                          \
  template <> struct functions<T> {                                            \
    static constexpr auto *asum = &cublas##P##asum;                            \
    static constexpr auto *axpy = &cublas##P##axpy;                            \
    static constexpr auto *copy = &cublas##P##copy;                            \
    static constexpr auto *dot = &cublas##P##dot;                              \
    static constexpr auto *geam = &cublas##P##geam;                            \
    static constexpr auto *gemm = &cublas##P##gemm;                            \
    static constexpr auto *gemv = &cublas##P##gemv;                            \
    static constexpr auto *ger = &cublas##P##ger;                              \
    static constexpr auto *nrm2 = &cublas##P##nrm2;                            \
    static constexpr auto *scal = &cublas##P##scal;                            \
    static constexpr auto *swap = &cublas##P##swap;                            \
    static constexpr auto *trmm = &cublas##P##trmm;                            \
    static constexpr auto *trsm = &cublas##P##trsm;                            \
  };
ADZE_GPU_BLAS_FUNCTIONS(float, S)
ADZE_GPU_BLAS_FUNCTIONS(double, D)
#undef ADZE_GPU_BLAS_FUNCTIONS

inline void check(cublasStatus_t error, const char *who) {
  if (error == CUBLAS_STATUS_SUCCESS)
    return;
  char text[48];
  snprintf(text, sizeof(text), "cuBLAS ends with status %d", int(error));
  stop(who, text);
}

/// op(op(A)) = A.
inline operation flipped(operation op) {
  return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The number of a thread among all.
ADZE_GPU_DEVICE inline size_t thread_number() {
#if defined(__CUDA_ARCH__)
  return size_t(__nvvm_read_ptx_sreg_ctaid_x()) *
             __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
#else
  return 0;
#endif
}

/// A *= factor; a factor of zero makes zeros of whatever was there.
template <class T>
ADZE_GPU_KERNEL void scale_kernel(T *a, size_t rows, size_t columns, size_t ld,
                                  T factor) {
  const size_t i = thread_number();
  if (i >= rows * columns)
    return;
  T &element = a[i % rows + i / rows * ld];
  element = factor == 0 ? 0 : factor * element;
}

/// The triangle of A += that of B; both have n rows and columns, B is packed.
template <class T>
ADZE_GPU_KERNEL void add_triangle_kernel(T *a, size_t n, size_t ld, const T *b,
                                         bool lower, bool with_diagonal) {
  const size_t i = thread_number(), row = i % n, column = i / n;
  if (i < n * n && (row == column ? with_diagonal : (row > column) == lower))
    a[row + column * ld] += b[i];
}

/// y += a sign(x); strides between elements.
template <class T>
ADZE_GPU_KERNEL void add_signs_kernel(T *y, const T *x, size_t count,
                                      size_t stride, T a) {
  const size_t i = thread_number();
  if (i >= count)
    return;
  const T value = x[i * stride];
  y[i * stride] += value > 0 ? a : value < 0 ? -a : 0;
}

template <class... P, class... A>
void launch(const char *who, stream in, void (*kernel)(P...), size_t count,
            A... arguments) {
  if (count == 0)
    return;
  constexpr unsigned threads = 256;
  const auto call = [&](P... passed) {
    void *addresses[] = {
        const_cast<void *>(static_cast<const volatile void *>(&passed))...};
    gpu::check(
        ADZE_GPU(LaunchKernel)(reinterpret_cast<const void *>(kernel),
                               dim3(unsigned((count + threads - 1) / threads)),
                               dim3(threads), addresses, 0, in),
        who);
  };
  call(arguments...);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Memory of the device, as long as the object lives.
template <class T> class buffer {
public:
  buffer(size_t count, const char *who) : who(who) {
    gpu::check(ADZE_GPU(Malloc)(reinterpret_cast<void **>(&memory),
                                (count ? count : 1) * sizeof(T)),
               who);
  }
  ~buffer() { gpu::check(ADZE_GPU(Free)(memory), who); }
  buffer(const buffer &) = delete;
  buffer &operator=(const buffer &) = delete;
  operator T *() const { return memory; }

private:
  const char *who;
  T *memory = nullptr;
};

/// cuBLAS by a handle whose scalars are of the host.
template <class T> class calls {
public:
  using f = functions<T>;
  calls(const char *who, handle h, stream in) : who(who), h(h), in(in) {}

  /// C = alpha op(A) op(B) + beta C
  void gemm(operation a, operation b, int m, int n, int k, T alpha, const T *A,
            int lda, const T *B, int ldb, T beta, T *C, int ldc) const {
    check(f::gemm(h, a, b, m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc),
          who);
  }
  /// y = alpha op(A) x + beta y
  void gemv(operation a, int m, int n, T alpha, const T *A, int lda, const T *x,
            int incx, T beta, T *y, int incy) const {
    check(f::gemv(h, a, m, n, &alpha, A, lda, x, incx, &beta, y, incy), who);
  }
  /// A += alpha x y^T
  void ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy,
           T *A, int lda) const {
    check(f::ger(h, m, n, &alpha, x, incx, y, incy, A, lda), who);
  }
  /// C = alpha op(A) + beta op(B)
  void geam(operation a, operation b, int m, int n, T alpha, const T *A,
            int lda, T beta, const T *B, int ldb, T *C, int ldc) const {
    check(f::geam(h, a, b, m, n, &alpha, A, lda, &beta, B, ldb, C, ldc), who);
  }
  /// C = op(A); packed.
  void pack(operation a, int m, int n, const T *A, int lda, T *C) const {
    geam(a, CUBLAS_OP_N, m, n, 1, A, lda, 0, C, m, C, m);
  }
  /// C += alpha op(A)
  void add(operation a, int m, int n, T alpha, const T *A, int lda, T *C,
           int ldc) const {
    geam(CUBLAS_OP_N, a, m, n, 1, C, ldc, alpha, A, lda, C, ldc);
  }
  /// B = op(A) B, or B op(A), of a triangle; not in place.
  void trmm(cublasSideMode_t side, triangle part, operation a,
            cublasDiagType_t diagonal, int m, int n, const T *A, int lda,
            const T *B, int ldb, T *C, int ldc) const {
    const T one = 1;
    check(
        f::trmm(h, side, part, a, diagonal, m, n, &one, A, lda, B, ldb, C, ldc),
        who);
  }
  void trsm(cublasSideMode_t side, triangle part, operation a,
            cublasDiagType_t diagonal, int m, int n, const T *A, int lda, T *B,
            int ldb) const {
    const T one = 1;
    check(f::trsm(h, side, part, a, diagonal, m, n, &one, A, lda, B, ldb), who);
  }
  /// y += alpha x
  void axpy(int n, T alpha, const T *x, int incx, T *y, int incy) const {
    check(f::axpy(h, n, &alpha, x, incx, y, incy), who);
  }
  T dot(int n, const T *x, int incx, const T *y, int incy) const {
    T result = 0;
    check(f::dot(h, n, x, incx, y, incy, &result), who);
    return result;
  }
  T nrm2(int n, const T *x, int incx) const {
    T result = 0;
    check(f::nrm2(h, n, x, incx, &result), who);
    return result;
  }
  void swap(int n, T *x, int incx, T *y, int incy) const {
    check(f::swap(h, n, x, incx, y, incy), who);
  }

  /// <X, Y> of all elements.
  T inner(int m, int n, const T *X, int ldx, const T *Y, int ldy) const {
    if (m == 0 || n == 0)
      return 0;
    if (ldx == m && ldy == m)
      return dot(m * n, X, 1, Y, 1);
    const size_t size = size_t(m) * n;
    buffer<T> x(size, who), y(size, who);
    pack(CUBLAS_OP_N, m, n, X, ldx, x);
    pack(CUBLAS_OP_N, m, n, Y, ldy, y);
    return dot(m * n, x, 1, y, 1);
  }
  /// A *= factor; a factor of zero clears.
  void scale(int m, int n, T factor, T *A, int ld) const {
    if (factor != 1)
      launch(who, in, scale_kernel<T>, size_t(m) * n, A, m, n, ld, factor);
  }
  void scale_vector(int n, T factor, T *x, int inc) const {
    scale(1, n, factor, x, inc < 0 ? -inc : inc);
  }
  void add_triangle(int n, triangle part, bool with_diagonal, const T *packed,
                    T *A, int ld) const {
    launch(who, in, add_triangle_kernel<T>, size_t(n) * n, A, n, ld, packed,
           part == CUBLAS_FILL_MODE_LOWER, with_diagonal);
  }
  void add_signs(int n, T a, const T *x, T *y, int inc) const {
    launch(who, in, add_signs_kernel<T>, n, y, x, n, inc < 0 ? -inc : inc, a);
  }

  // Scalars, in memory of the host or the device.

  T value(const T *scalar) const {
    if (!is_device(scalar))
      return *scalar;
    T result;
    gpu::check(ADZE_GPU(MemcpyAsync)(&result, scalar, sizeof(T),
                                     ADZE_GPU(MemcpyDeviceToHost), in),
               who);
    gpu::check(ADZE_GPU(StreamSynchronize)(in), who);
    return result;
  }
  void set(T *scalar, T value) const {
    if (!is_device(scalar)) {
      *scalar = value;
      return;
    }
    gpu::check(ADZE_GPU(MemcpyAsync)(scalar, &value, sizeof(T),
                                     ADZE_GPU(MemcpyHostToDevice), in),
               who);
    gpu::check(ADZE_GPU(StreamSynchronize)(in), who);
  }
  void add(const T *scalar, T value) const {
    auto *adjoint = const_cast<T *>(scalar);
    set(adjoint, this->value(adjoint) + value);
  }
  /// Its value; then it is zero.
  T take(T *scalar) const {
    const T result = value(scalar);
    set(scalar, 0);
    return result;
  }

private:
  const char *who;
  handle h;
  stream in;
};

} // namespace adze::gpu::blas
#endif
