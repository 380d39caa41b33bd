// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of cuBLAS' functions of vectors, each under its equations: x' is
// the adjoint of x, x. its tangent. Where a call overwrites an operand, the
// adjoint on the right is that of what it leaves.
#ifndef ADZE_GPU_BLASVECTORS_HPP
#define ADZE_GPU_BLASVECTORS_HPP

#include "adze/gpu/BlasPasses.hpp"

namespace adze::gpu::blas {

/// y += alpha x          x' += alpha y'     alpha' += <x, y'>
///                       y. += alpha x. + alpha. x
template <class T> struct axpy {
  static constexpr const char *who = "cublas axpy";
  static called<T> augmented(handle h, int n, const T *alpha,
                             const T *alpha_shadow, const T *x, const T *,
                             int incx, T *y, T *, int incy) {
    first_pass<T> p(who, h);
    p.alpha(alpha);
    return p.run(
        {{x, alpha_shadow != nullptr, false, false}, {y, false, false, true}},
        [&] { return functions<T>::axpy(h, n, alpha, x, incx, y, incy); });
  }
  static void reverse(handle, int n, const T *, const T *alpha_shadow,
                      const T *x, const T *x_shadow, int incx, T *, T *y_shadow,
                      int incy, call<T> *done) {
    second_pass<T> p(done);
    if (!y_shadow)
      return;
    p.before();
    if (x_shadow)
      p.axpy(n, p.alpha(), y_shadow, incy, adjoint(x_shadow), incx);
    if (alpha_shadow)
      p.add(alpha_shadow, p.dot(n, x, incx, y_shadow, incy));
  }
  static cublasStatus_t forward(handle h, int n, const T *alpha,
                                const T *alpha_shadow, const T *x,
                                const T *x_shadow, int incx, T *y, T *y_shadow,
                                int incy) {
    tangents<T> t(who, h);
    if (y_shadow && x_shadow)
      t.axpy(n, t.value(alpha), x_shadow, incx, y_shadow, incy);
    if (y_shadow && alpha_shadow)
      t.axpy(n, t.value(alpha_shadow), x, incx, y_shadow, incy);
    return functions<T>::axpy(t.restore(), n, alpha, x, incx, y, incy);
  }
  static void *__adze_register_exchange[];
};

/// x = alpha x           alpha' += <x, x'>; x' = alpha x'
///                       x. = alpha x. + alpha. x
template <class T> struct scal {
  static constexpr const char *who = "cublas scal";
  static called<T> augmented(handle h, int n, const T *alpha,
                             const T *alpha_shadow, T *x, T *, int incx) {
    first_pass<T> p(who, h);
    p.alpha(alpha);
    return p.run({{x, alpha_shadow != nullptr, false, true}},
                 [&] { return functions<T>::scal(h, n, alpha, x, incx); });
  }
  static void reverse(handle, int n, const T *, const T *alpha_shadow, T *x,
                      T *x_shadow, int incx, call<T> *done) {
    second_pass<T> p(done);
    if (!x_shadow || incx <= 0)
      return;
    p.before();
    if (alpha_shadow)
      p.add(alpha_shadow, p.dot(n, x, incx, x_shadow, incx));
    p.scale_vector(n, p.alpha(), x_shadow, incx);
  }
  static cublasStatus_t forward(handle h, int n, const T *alpha,
                                const T *alpha_shadow, T *x, T *x_shadow,
                                int incx) {
    tangents<T> t(who, h);
    if (x_shadow && incx > 0) {
      t.scale_vector(n, t.value(alpha), x_shadow, incx);
      if (alpha_shadow)
        t.axpy(n, t.value(alpha_shadow), x, incx, x_shadow, incx);
    }
    return functions<T>::scal(t.restore(), n, alpha, x, incx);
  }
  static void *__adze_register_exchange[];
};

/// y = x                 x' += y'; y' = 0
template <class T> struct copy {
  static constexpr const char *who = "cublas copy";
  static called<T> augmented(handle h, int n, const T *x, const T *, int incx,
                             T *y, T *, int incy) {
    first_pass<T> p(who, h);
    return p.run({{x, false, false, false}, {y, false, false, true}},
                 [&] { return functions<T>::copy(h, n, x, incx, y, incy); });
  }
  static void reverse(handle, int n, const T *, const T *x_shadow, int incx,
                      T *, T *y_shadow, int incy, call<T> *done) {
    second_pass<T> p(done);
    if (!y_shadow)
      return;
    if (x_shadow)
      p.axpy(n, 1, y_shadow, incy, adjoint(x_shadow), incx);
    p.scale_vector(n, 0, y_shadow, incy);
  }
  static cublasStatus_t forward(handle h, int n, const T *x, const T *x_shadow,
                                int incx, T *y, T *y_shadow, int incy) {
    tangents<T> t(who, h);
    if (y_shadow) {
      t.scale_vector(n, 0, y_shadow, incy);
      if (x_shadow)
        t.axpy(n, 1, x_shadow, incx, y_shadow, incy);
    }
    return functions<T>::copy(t.restore(), n, x, incx, y, incy);
  }
  static void *__adze_register_exchange[];
};

/// x, y = y, x           x', y' = y', x'
template <class T> struct swap {
  static constexpr const char *who = "cublas swap";
  static called<T> augmented(handle h, int n, T *x, T *, int incx, T *y, T *,
                             int incy) {
    first_pass<T> p(who, h);
    return p.run({{x, false, false, true}, {y, false, false, true}},
                 [&] { return functions<T>::swap(h, n, x, incx, y, incy); });
  }
  static void reverse(handle, int n, T *, T *x_shadow, int incx, T *,
                      T *y_shadow, int incy, call<T> *done) {
    second_pass<T> p(done);
    exchange(p, n, x_shadow, incx, y_shadow, incy);
  }
  static cublasStatus_t forward(handle h, int n, T *x, T *x_shadow, int incx,
                                T *y, T *y_shadow, int incy) {
    tangents<T> t(who, h);
    exchange(t, n, x_shadow, incx, y_shadow, incy);
    return functions<T>::swap(t.restore(), n, x, incx, y, incy);
  }
  static void exchange(const calls<T> &c, int n, T *x, int incx, T *y,
                       int incy) {
    if (x && y)
      c.swap(n, x, incx, y, incy);
    else if (x)
      c.scale_vector(n, 0, x, incx);
    else if (y)
      c.scale_vector(n, 0, y, incy);
  }
  static void *__adze_register_exchange[];
};

/// r = <x, y>            x' += r' y; y' += r' x; r' = 0
///                       r. = <x., y> + <x, y.>
template <class T> struct dot {
  static constexpr const char *who = "cublas dot";
  static called<T> augmented(handle h, int n, const T *x, const T *x_shadow,
                             int incx, const T *y, const T *y_shadow, int incy,
                             T *result, T *result_shadow) {
    first_pass<T> p(who, h);
    return p.run(
        {{x, result_shadow && y_shadow, false, false},
         {y, result_shadow && x_shadow, false, false},
         {result, false, false, true}},
        [&] { return functions<T>::dot(h, n, x, incx, y, incy, result); });
  }
  static void reverse(handle, int n, const T *x, const T *x_shadow, int incx,
                      const T *y, const T *y_shadow, int incy, T *,
                      T *result_shadow, call<T> *done) {
    second_pass<T> p(done);
    if (!result_shadow)
      return;
    p.before();
    const T r = p.take(result_shadow);
    if (r != 0 && x_shadow)
      p.axpy(n, r, y, incy, adjoint(x_shadow), incx);
    if (r != 0 && y_shadow)
      p.axpy(n, r, x, incx, adjoint(y_shadow), incy);
  }
  static cublasStatus_t forward(handle h, int n, const T *x, const T *x_shadow,
                                int incx, const T *y, const T *y_shadow,
                                int incy, T *result, T *result_shadow) {
    tangents<T> t(who, h);
    if (result_shadow)
      t.set(result_shadow,
            (x_shadow ? t.dot(n, x_shadow, incx, y, incy) : 0) +
                (y_shadow ? t.dot(n, x, incx, y_shadow, incy) : 0));
    return functions<T>::dot(t.restore(), n, x, incx, y, incy, result);
  }
  static void *__adze_register_exchange[];
};

/// The operands of a number that is made of one vector.
template <class T> struct fold {
  operand operands[2];
  fold(const T *x, const T *x_shadow, T *result, T *result_shadow)
      : operands{{x, result_shadow && x_shadow, false, false},
                 {result, false, false, true}} {}
};

/// r = |x|               x' += r' x / r; r' = 0      (nothing where r is 0)
///                       r. = <x, x.> / r
template <class T> struct nrm2 {
  static constexpr const char *who = "cublas nrm2";
  static called<T> augmented(handle h, int n, const T *x, const T *x_shadow,
                             int incx, T *result, T *result_shadow) {
    first_pass<T> p(who, h);
    return p.run(fold<T>(x, x_shadow, result, result_shadow).operands,
                 [&] { return functions<T>::nrm2(h, n, x, incx, result); });
  }
  static void reverse(handle, int n, const T *x, const T *x_shadow, int incx,
                      T *, T *result_shadow, call<T> *done) {
    second_pass<T> p(done);
    if (!result_shadow)
      return;
    p.before();
    const T r = p.take(result_shadow);
    const T norm = r != 0 && x_shadow ? p.nrm2(n, x, incx) : 0;
    if (norm != 0)
      p.axpy(n, r / norm, x, incx, adjoint(x_shadow), incx);
  }
  static cublasStatus_t forward(handle h, int n, const T *x, const T *x_shadow,
                                int incx, T *result, T *result_shadow) {
    tangents<T> t(who, h);
    if (result_shadow) {
      const T norm = x_shadow ? t.nrm2(n, x, incx) : 0;
      t.set(result_shadow,
            norm != 0 ? t.dot(n, x, incx, x_shadow, incx) / norm : 0);
    }
    return functions<T>::nrm2(t.restore(), n, x, incx, result);
  }
  static void *__adze_register_exchange[];
};

/// r = sum |x_i|         x' += r' sign(x); r' = 0
///                       r. = <sign(x), x.>
template <class T> struct asum {
  static constexpr const char *who = "cublas asum";
  static called<T> augmented(handle h, int n, const T *x, const T *x_shadow,
                             int incx, T *result, T *result_shadow) {
    first_pass<T> p(who, h);
    return p.run(fold<T>(x, x_shadow, result, result_shadow).operands,
                 [&] { return functions<T>::asum(h, n, x, incx, result); });
  }
  static void reverse(handle, int n, const T *x, const T *x_shadow, int incx,
                      T *, T *result_shadow, call<T> *done) {
    second_pass<T> p(done);
    if (!result_shadow)
      return;
    p.before();
    const T r = p.take(result_shadow);
    if (r != 0 && x_shadow && incx > 0)
      p.add_signs(n, r, x, adjoint(x_shadow), incx);
  }
  static cublasStatus_t forward(handle h, int n, const T *x, const T *x_shadow,
                                int incx, T *result, T *result_shadow) {
    tangents<T> t(who, h);
    if (result_shadow) {
      T tangent = 0;
      if (x_shadow && n > 0 && incx > 0) {
        buffer<T> signs(size_t(n) * incx, who);
        t.scale(1, n, 0, signs, incx);
        t.add_signs(n, 1, x, signs, incx);
        tangent = t.dot(n, signs, incx, x_shadow, incx);
      }
      t.set(result_shadow, tangent);
    }
    return functions<T>::asum(t.restore(), n, x, incx, result);
  }
  static void *__adze_register_exchange[];
};

ADZE_GPU_BLAS_REGISTER(asum, "inRnw")
ADZE_GPU_BLAS_REGISTER(axpy, "inrRnMn")
ADZE_GPU_BLAS_REGISTER(copy, "inRnWn")
ADZE_GPU_BLAS_REGISTER(dot, "inRnRnw")
ADZE_GPU_BLAS_REGISTER(nrm2, "inRnw")
ADZE_GPU_BLAS_REGISTER(scal, "inrMn")
ADZE_GPU_BLAS_REGISTER(swap, "inMnMn")

} // namespace adze::gpu::blas
#endif
