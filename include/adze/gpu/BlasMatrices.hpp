// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of cuBLAS' functions of matrices, each under its equations: x' is
// the adjoint of x, x. its tangent. Where a call overwrites an operand, the
// adjoint on the right is that of what it leaves. (Giles, "Collected matrix
// derivative results for forward and reverse mode algorithmic differentiation",
// 2008, section 2.)
#ifndef ADZE_GPU_BLASMATRICES_HPP
#define ADZE_GPU_BLASMATRICES_HPP

#include "adze/gpu/BlasPasses.hpp"

namespace adze::gpu::blas {

/// A += alpha x y^T      x' += alpha A' y; y' += alpha A'^T x
///                       alpha' += <x, A' y>
///                       A. += alpha (x. y^T + x y.^T) + alpha. x y^T
template <class T> struct ger {
  static constexpr const char *who = "cublas ger";
  static called<T> augmented(handle h, int m, int n, const T *alpha,
                             const T *alpha_shadow, const T *x,
                             const T *x_shadow, int incx, const T *y,
                             const T *y_shadow, int incy, T *A, T *A_shadow,
                             int lda) {
    first_pass<T> p(who, h);
    p.alpha(alpha);
    return p.run({{x, A_shadow && (y_shadow || alpha_shadow), false, false},
                  {y, A_shadow && (x_shadow || alpha_shadow), false, false},
                  {A, false, false, true}},
                 [&] {
                   return functions<T>::ger(h, m, n, alpha, x, incx, y, incy, A,
                                            lda);
                 });
  }
  static void reverse(handle, int m, int n, const T *, const T *alpha_shadow,
                      const T *x, const T *x_shadow, int incx, const T *y,
                      const T *y_shadow, int incy, T *, T *A_shadow, int lda,
                      call<T> *done) {
    second_pass<T> p(done);
    if (!A_shadow)
      return;
    p.before();
    if (x_shadow)
      p.gemv(CUBLAS_OP_N, m, n, p.alpha(), A_shadow, lda, y, incy, 1,
             adjoint(x_shadow), incx);
    if (y_shadow)
      p.gemv(CUBLAS_OP_T, m, n, p.alpha(), A_shadow, lda, x, incx, 1,
             adjoint(y_shadow), incy);
    if (alpha_shadow) {
      buffer<T> product(m, who);
      p.gemv(CUBLAS_OP_N, m, n, 1, A_shadow, lda, y, incy, 0, product, 1);
      p.add(alpha_shadow, p.dot(m, x, incx, product, 1));
    }
  }
  static cublasStatus_t forward(handle h, int m, int n, const T *alpha,
                                const T *alpha_shadow, const T *x,
                                const T *x_shadow, int incx, const T *y,
                                const T *y_shadow, int incy, T *A, T *A_shadow,
                                int lda) {
    tangents<T> t(who, h);
    if (A_shadow) {
      if (x_shadow)
        t.ger(m, n, t.value(alpha), x_shadow, incx, y, incy, A_shadow, lda);
      if (y_shadow)
        t.ger(m, n, t.value(alpha), x, incx, y_shadow, incy, A_shadow, lda);
      if (alpha_shadow)
        t.ger(m, n, t.value(alpha_shadow), x, incx, y, incy, A_shadow, lda);
    }
    return functions<T>::ger(t.restore(), m, n, alpha, x, incx, y, incy, A,
                             lda);
  }
  static void *__adze_register_exchange[];
};

/// y = alpha op(A) x + beta y
///
///   A' += alpha y' x^T, or its transpose     x' += alpha op(A)^T y'
///   alpha' += <op(A) x, y'>                  beta' += <y, y'>; y' = beta y'
///   y. = alpha (op(A.) x + op(A) x.) + alpha. op(A) x + beta y. + beta. y
template <class T> struct gemv {
  static constexpr const char *who = "cublas gemv";
  static called<T> augmented(handle h, operation op, int m, int n,
                             const T *alpha, const T *alpha_shadow, const T *A,
                             const T *A_shadow, int lda, const T *x,
                             const T *x_shadow, int incx, const T *beta,
                             const T *beta_shadow, T *y, T *y_shadow,
                             int incy) {
    first_pass<T> p(who, h);
    p.alpha(alpha);
    p.beta(beta);
    return p.run({{A, y_shadow && (x_shadow || alpha_shadow), false, false},
                  {x, y_shadow && (A_shadow || alpha_shadow), false, false},
                  {y, y_shadow && beta_shadow, false, true}},
                 [&] {
                   return functions<T>::gemv(h, op, m, n, alpha, A, lda, x,
                                             incx, beta, y, incy);
                 });
  }
  static void reverse(handle, operation op, int m, int n, const T *,
                      const T *alpha_shadow, const T *A, const T *A_shadow,
                      int lda, const T *x, const T *x_shadow, int incx,
                      const T *, const T *beta_shadow, T *y, T *y_shadow,
                      int incy, call<T> *done) {
    second_pass<T> p(done);
    if (!y_shadow)
      return;
    p.before();
    const int rows = op == CUBLAS_OP_N ? m : n;
    if (A_shadow && op == CUBLAS_OP_N)
      p.ger(m, n, p.alpha(), y_shadow, incy, x, incx, adjoint(A_shadow), lda);
    else if (A_shadow)
      p.ger(m, n, p.alpha(), x, incx, y_shadow, incy, adjoint(A_shadow), lda);
    if (x_shadow)
      p.gemv(flipped(op), m, n, p.alpha(), A, lda, y_shadow, incy, 1,
             adjoint(x_shadow), incx);
    if (alpha_shadow) {
      buffer<T> product(rows, who);
      p.gemv(op, m, n, 1, A, lda, x, incx, 0, product, 1);
      p.add(alpha_shadow, p.dot(rows, product, 1, y_shadow, incy));
    }
    if (beta_shadow)
      p.add(beta_shadow, p.dot(rows, y, incy, y_shadow, incy));
    p.scale_vector(rows, p.beta(), y_shadow, incy);
  }
  static cublasStatus_t forward(handle h, operation op, int m, int n,
                                const T *alpha, const T *alpha_shadow,
                                const T *A, const T *A_shadow, int lda,
                                const T *x, const T *x_shadow, int incx,
                                const T *beta, const T *beta_shadow, T *y,
                                T *y_shadow, int incy) {
    tangents<T> t(who, h);
    if (y_shadow) {
      const int rows = op == CUBLAS_OP_N ? m : n;
      t.scale_vector(rows, t.value(beta), y_shadow, incy);
      if (beta_shadow)
        t.axpy(rows, t.value(beta_shadow), y, incy, y_shadow, incy);
      auto add = [&](T factor, const T *by, const T *to) {
        t.gemv(op, m, n, factor, by, lda, to, incx, 1, y_shadow, incy);
      };
      if (A_shadow)
        add(t.value(alpha), A_shadow, x);
      if (x_shadow)
        add(t.value(alpha), A, x_shadow);
      if (alpha_shadow)
        add(t.value(alpha_shadow), A, x);
    }
    return functions<T>::gemv(t.restore(), op, m, n, alpha, A, lda, x, incx,
                              beta, y, incy);
  }
  static void *__adze_register_exchange[];
};

/// C = alpha op(A) op(B) + beta C
///
///   op(A)' += alpha C' op(B)^T              op(B)' += alpha op(A)^T C'
///   alpha' += <op(A) op(B), C'>             beta' += <C, C'>; C' = beta C'
///   C. = alpha (op(A.) op(B) + op(A) op(B.)) + alpha. op(A) op(B)
///        + beta C. + beta. C
template <class T> struct gemm {
  static constexpr const char *who = "cublas gemm";
  static called<T> augmented(handle h, operation a, operation b, int m, int n,
                             int k, const T *alpha, const T *alpha_shadow,
                             const T *A, const T *A_shadow, int lda, const T *B,
                             const T *B_shadow, int ldb, const T *beta,
                             const T *beta_shadow, T *C, T *C_shadow, int ldc) {
    first_pass<T> p(who, h);
    p.alpha(alpha);
    p.beta(beta);
    return p.run({{A, C_shadow && (B_shadow || alpha_shadow), false, false},
                  {B, C_shadow && (A_shadow || alpha_shadow), false, false},
                  {C, C_shadow && beta_shadow, false, true}},
                 [&] {
                   return functions<T>::gemm(h, a, b, m, n, k, alpha, A, lda, B,
                                             ldb, beta, C, ldc);
                 });
  }
  static void reverse(handle, operation a, operation b, int m, int n, int k,
                      const T *, const T *alpha_shadow, const T *A,
                      const T *A_shadow, int lda, const T *B, const T *B_shadow,
                      int ldb, const T *, const T *beta_shadow, T *C,
                      T *C_shadow, int ldc, call<T> *done) {
    second_pass<T> p(done);
    if (!C_shadow)
      return;
    p.before();
    if (A_shadow && a == CUBLAS_OP_N)
      p.gemm(CUBLAS_OP_N, flipped(b), m, k, n, p.alpha(), C_shadow, ldc, B, ldb,
             1, adjoint(A_shadow), lda);
    else if (A_shadow)
      p.gemm(b, CUBLAS_OP_T, k, m, n, p.alpha(), B, ldb, C_shadow, ldc, 1,
             adjoint(A_shadow), lda);
    if (B_shadow && b == CUBLAS_OP_N)
      p.gemm(flipped(a), CUBLAS_OP_N, k, n, m, p.alpha(), A, lda, C_shadow, ldc,
             1, adjoint(B_shadow), ldb);
    else if (B_shadow)
      p.gemm(CUBLAS_OP_T, a, n, k, m, p.alpha(), C_shadow, ldc, A, lda, 1,
             adjoint(B_shadow), ldb);
    if (alpha_shadow) {
      buffer<T> product(size_t(m) * n, who);
      p.gemm(a, b, m, n, k, 1, A, lda, B, ldb, 0, product, m);
      p.add(alpha_shadow, p.inner(m, n, product, m, C_shadow, ldc));
    }
    if (beta_shadow)
      p.add(beta_shadow, p.inner(m, n, C, ldc, C_shadow, ldc));
    p.scale(m, n, p.beta(), C_shadow, ldc);
  }
  static cublasStatus_t
  forward(handle h, operation a, operation b, int m, int n, int k,
          const T *alpha, const T *alpha_shadow, const T *A, const T *A_shadow,
          int lda, const T *B, const T *B_shadow, int ldb, const T *beta,
          const T *beta_shadow, T *C, T *C_shadow, int ldc) {
    tangents<T> t(who, h);
    if (C_shadow) {
      t.scale(m, n, t.value(beta), C_shadow, ldc);
      if (beta_shadow)
        t.add(CUBLAS_OP_N, m, n, t.value(beta_shadow), C, ldc, C_shadow, ldc);
      auto add = [&](T factor, const T *left, const T *right) {
        t.gemm(a, b, m, n, k, factor, left, lda, right, ldb, 1, C_shadow, ldc);
      };
      if (A_shadow)
        add(t.value(alpha), A_shadow, B);
      if (B_shadow)
        add(t.value(alpha), A, B_shadow);
      if (alpha_shadow)
        add(t.value(alpha_shadow), A, B);
    }
    return functions<T>::gemm(t.restore(), a, b, m, n, k, alpha, A, lda, B, ldb,
                              beta, C, ldc);
  }
  static void *__adze_register_exchange[];
};

/// C = alpha op(A) + beta op(B), where C may be A or B
///
///   op(A)' += alpha C'; op(B)' += beta C'; C' = 0, or what C is of A and B
///   alpha' += <op(A), C'>                   beta' += <op(B), C'>
///   C. = alpha op(A.) + alpha. op(A) + beta op(B.) + beta. op(B)
template <class T> struct geam {
  static constexpr const char *who = "cublas geam";
  static called<T> augmented(handle h, operation a, operation b, int m, int n,
                             const T *alpha, const T *alpha_shadow, const T *A,
                             const T *, int lda, const T *beta,
                             const T *beta_shadow, const T *B, const T *,
                             int ldb, T *C, T *C_shadow, int ldc) {
    first_pass<T> p(who, h);
    p.alpha(alpha);
    p.beta(beta);
    return p.run({{A, C_shadow && alpha_shadow, false, false},
                  {B, C_shadow && beta_shadow, false, false},
                  {C, false, false, true}},
                 [&] {
                   return functions<T>::geam(h, a, b, m, n, alpha, A, lda, beta,
                                             B, ldb, C, ldc);
                 });
  }
  static void reverse(handle, operation a, operation b, int m, int n, const T *,
                      const T *alpha_shadow, const T *A, const T *A_shadow,
                      int lda, const T *, const T *beta_shadow, const T *B,
                      const T *B_shadow, int ldb, T *C, T *C_shadow, int ldc,
                      call<T> *done) {
    second_pass<T> p(done);
    if (!C_shadow)
      return;
    p.before();
    T left = 0; // of C', in place
    auto pass = [&](operation op, T factor, const T *scalar_shadow,
                    const T *matrix, const T *matrix_shadow, int ld) {
      if (scalar_shadow) {
        buffer<T> packed(size_t(m) * n, who);
        p.pack(op, m, n, matrix, ld, packed);
        p.add(scalar_shadow, p.inner(m, n, packed, m, C_shadow, ldc));
      }
      if (matrix == C)
        left += factor;
      else if (matrix_shadow && op == CUBLAS_OP_N)
        p.add(op, m, n, factor, C_shadow, ldc, adjoint(matrix_shadow), ld);
      else if (matrix_shadow)
        p.add(op, n, m, factor, C_shadow, ldc, adjoint(matrix_shadow), ld);
    };
    pass(a, p.alpha(), alpha_shadow, A, A_shadow, lda);
    pass(b, p.beta(), beta_shadow, B, B_shadow, ldb);
    p.scale(m, n, left, C_shadow, ldc);
  }
  static cublasStatus_t forward(handle h, operation a, operation b, int m,
                                int n, const T *alpha, const T *alpha_shadow,
                                const T *A, const T *A_shadow, int lda,
                                const T *beta, const T *beta_shadow, const T *B,
                                const T *B_shadow, int ldb, T *C, T *C_shadow,
                                int ldc) {
    tangents<T> t(who, h);
    if (C_shadow) {
      // In place: one call, as the primal's.
      t.geam(A_shadow ? a : CUBLAS_OP_N, B_shadow ? b : CUBLAS_OP_N, m, n,
             A_shadow ? t.value(alpha) : 0, A_shadow ? A_shadow : C_shadow,
             A_shadow ? lda : ldc, B_shadow ? t.value(beta) : 0,
             B_shadow ? B_shadow : C_shadow, B_shadow ? ldb : ldc, C_shadow,
             ldc);
      if (alpha_shadow)
        t.add(a, m, n, t.value(alpha_shadow), A, lda, C_shadow, ldc);
      if (beta_shadow)
        t.add(b, m, n, t.value(beta_shadow), B, ldb, C_shadow, ldc);
    }
    return functions<T>::geam(t.restore(), a, b, m, n, alpha, A, lda, beta, B,
                              ldb, C, ldc);
  }
  static void *__adze_register_exchange[];
};

/// op(A) X = alpha B, or X op(A) = alpha B; X takes B's place
///
///   W = op(A)^-T X', or X' op(A)^-T
///   op(A)' -= W X^T, or X^T W, of the triangle
///   alpha' += <W, B>; B' = alpha W
///   X. = op(A)^-1 (alpha B. + alpha. B - op(A.) X), or from the other side
template <class T> struct trsm {
  static constexpr const char *who = "cublas trsm";
  using side_of = cublasSideMode_t;
  using diagonal = cublasDiagType_t;

  static called<T> augmented(handle h, side_of side, triangle part,
                             operation op, diagonal unit, int m, int n,
                             const T *alpha, const T *alpha_shadow, const T *A,
                             const T *A_shadow, int lda, T *B, T *B_shadow,
                             int ldb) {
    first_pass<T> p(who, h);
    p.alpha(alpha);
    return p.run({{A, B_shadow != nullptr, false, false},
                  {B, B_shadow && alpha_shadow, B_shadow && A_shadow, true}},
                 [&] {
                   return functions<T>::trsm(h, side, part, op, unit, m, n,
                                             alpha, A, lda, B, ldb);
                 });
  }
  static void reverse(handle, side_of side, triangle part, operation op,
                      diagonal unit, int m, int n, const T *,
                      const T *alpha_shadow, const T *A, const T *A_shadow,
                      int lda, T *B, T *B_shadow, int ldb, call<T> *done) {
    second_pass<T> p(done);
    if (!B_shadow || m == 0 || n == 0)
      return;
    p.before();
    buffer<T> W(size_t(m) * n, who);
    p.pack(CUBLAS_OP_N, m, n, B_shadow, ldb, W);
    p.trsm(side, part, flipped(op), unit, m, n, A, lda, W, m);
    if (alpha_shadow)
      p.add(alpha_shadow, p.inner(m, n, W, m, B, ldb));
    if (A_shadow) {
      p.after();
      const bool left = side == CUBLAS_SIDE_LEFT, plain = op == CUBLAS_OP_N;
      const int size = left ? m : n, inner = left ? n : m;
      buffer<T> product(size_t(size) * size, who);
      // W X^T from the left, X^T W from the right; transposed for op(A) = A^T.
      const bool w_first = left == plain;
      p.gemm(left ? CUBLAS_OP_N : CUBLAS_OP_T, left ? CUBLAS_OP_T : CUBLAS_OP_N,
             size, size, inner, -1, w_first ? W : B, w_first ? m : ldb,
             w_first ? B : W, w_first ? ldb : m, 0, product, size);
      p.add_triangle(size, part, unit == CUBLAS_DIAG_NON_UNIT, product,
                     adjoint(A_shadow), lda);
    }
    p.scale(m, n, 0, B_shadow, ldb);
    p.add(CUBLAS_OP_N, m, n, p.alpha(), W, m, B_shadow, ldb);
  }
  static cublasStatus_t forward(handle h, side_of side, triangle part,
                                operation op, diagonal unit, int m, int n,
                                const T *alpha, const T *alpha_shadow,
                                const T *A, const T *A_shadow, int lda, T *B,
                                T *B_shadow, int ldb) {
    tangents<T> t(who, h);
    if (B_shadow) {
      t.scale(m, n, t.value(alpha), B_shadow, ldb);
      if (alpha_shadow)
        t.add(CUBLAS_OP_N, m, n, t.value(alpha_shadow), B, ldb, B_shadow, ldb);
    }
    const cublasStatus_t status = functions<T>::trsm(
        t.restore(), side, part, op, unit, m, n, alpha, A, lda, B, ldb);
    t.resume();
    if (B_shadow && A_shadow) {
      buffer<T> product(size_t(m) * n, who);
      t.trmm(side, part, op, unit, m, n, A_shadow, lda, B, ldb, product, m);
      t.add(CUBLAS_OP_N, m, n, -1, product, m, B_shadow, ldb);
      // The ones of a unit diagonal have no tangent.
      if (unit == CUBLAS_DIAG_UNIT)
        t.add(CUBLAS_OP_N, m, n, 1, B, ldb, B_shadow, ldb);
    }
    if (B_shadow)
      t.trsm(side, part, op, unit, m, n, A, lda, B_shadow, ldb);
    return status;
  }
  static void *__adze_register_exchange[];
};

ADZE_GPU_BLAS_REGISTER(geam, "innnnrRnrRnMn")
ADZE_GPU_BLAS_REGISTER(gemm, "innnnnrRnRnrMn")
ADZE_GPU_BLAS_REGISTER(gemv, "innnrRnRnrMn")
ADZE_GPU_BLAS_REGISTER(ger, "innrRnRnMn")
ADZE_GPU_BLAS_REGISTER(trsm, "innnnnnrRnMn")

} // namespace adze::gpu::blas
#endif
