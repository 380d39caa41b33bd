// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each derivative of a cuBLAS call does before and after its formulas: the
// first pass remembers the contents that the second one reads (Memory.hpp).
#ifndef ADZE_GPU_BLASPASSES_HPP
#define ADZE_GPU_BLASPASSES_HPP

#include "adze/gpu/BlasCalls.hpp"

namespace adze::gpu::blas {

template <class T>
inline constexpr unsigned holds = sizeof(T) == sizeof(float) ? floats : doubles;

/// An operand of a call: what the reverse pass reads of it, and when.
struct operand {
  const void *pointer;
  bool read_before, read_after, is_written;
};

/// An allocation with operands in it, and its contents that are read again.
struct blas_use {
  block *of;
  content *before, *after;
};

/// On its way through a gradient.
template <class T> struct call {
  const char *who;
  cublasMath_t math;
  T alpha, beta;
  unsigned count;
  blas_use uses[3];
};

/// What the first pass returns.
template <class T> struct called {
  call<T> *done;
  cublasStatus_t status;
};

template <class T> class first_pass {
public:
  first_pass(const char *who, handle h) {
    check(cublasGetStream(h, &in), who);
    done = static_cast<call<T> *>(malloc(sizeof(call<T>)));
    if (!done)
      stop(who, "no memory");
    *done = {who, CUBLAS_DEFAULT_MATH, 0, 0, 0, {}};
    check(cublasGetMathMode(h, &done->math), who);
    memory::of_thread().forward(in, who);
  }

  void alpha(const T *scalar) { done->alpha = value(scalar); }
  void beta(const T *scalar) { done->beta = value(scalar); }

  /// Runs the call: \p run() makes it.
  template <unsigned N, class Run>
  called<T> run(const operand (&operands)[N], Run run) {
    static_assert(N <= 3, "an allocation for each operand");
    memory &m = memory::of_thread();
    bool written[N] = {}, read_before[N] = {}, read_after[N] = {};
    for (const operand &o : operands) {
      block *b = m.find(o.pointer);
      if (!b)
        continue;
      b->holds |= holds<T>;
      unsigned k = 0;
      while (k < done->count && done->uses[k].of != b)
        ++k;
      if (k == done->count)
        done->uses[done->count++] = {b, nullptr, nullptr};
      written[k] |= o.is_written;
      read_before[k] |= o.read_before;
      read_after[k] |= o.read_after;
    }
    for (unsigned k = 0; k < done->count; ++k) {
      blas_use &u = done->uses[k];
      if (read_before[k])
        u.before = m.read(*u.of);
      if (written[k])
        m.write(*u.of);
    }
    const cublasStatus_t status = run();
    for (unsigned k = 0; k < done->count; ++k)
      if (read_after[k])
        done->uses[k].after = m.read(*done->uses[k].of);
    return {done, status};
  }

private:
  T value(const T *scalar) const {
    return calls<T>(done->who, nullptr, in).value(scalar);
  }

  call<T> *done;
  stream in = nullptr;
};

/// A handle of this thread's derivatives. The program may have destroyed its
/// own when the reverse pass comes by.
inline handle own_handle(const char *who, cublasMath_t math) {
  static thread_local handle own = nullptr;
  if (!own) {
    check(cublasCreate(&own), who);
    check(cublasSetStream(own, in_order()), who);
  }
  check(cublasSetMathMode(own, math), who);
  return own;
}

template <class T> class second_pass : public calls<T> {
public:
  explicit second_pass(call<T> *done)
      : calls<T>(done->who, begin(*done), in_order()), done(done) {}
  ~second_pass() {
    memory &m = memory::of_thread();
    for (unsigned k = 0; k < done->count; ++k)
      for (content *c : {done->uses[k].before, done->uses[k].after})
        if (c)
          m.drop(c);
    free(done);
    m.end();
  }
  second_pass(const second_pass &) = delete;
  second_pass &operator=(const second_pass &) = delete;

  T alpha() const { return done->alpha; }
  T beta() const { return done->beta; }

  /// All operands are as they were before the call.
  void before() const { restore(&blas_use::before); }
  /// What was read after it is as it was then.
  void after() const { restore(&blas_use::after); }

private:
  static handle begin(const call<T> &done) {
    memory::of_thread().reverse(done.who);
    return own_handle(done.who, done.math);
  }
  void restore(content *blas_use::*when) const {
    for (unsigned k = 0; k < done->count; ++k)
      if (content *c = done->uses[k].*when)
        memory::of_thread().restore(*done->uses[k].of, c);
  }

  call<T> *done;
};

/// Forward mode calls with the program's handle, in its stream; scalars of
/// derivatives are of the host.
template <class T> class tangents : public calls<T> {
public:
  tangents(const char *who, handle h)
      : calls<T>(who, h, stream_of(who, h)), who(who), h(h) {
    check(cublasGetPointerMode(h, &mode), who);
    check(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST), who);
  }
  ~tangents() { restore(); }
  tangents(const tangents &) = delete;
  tangents &operator=(const tangents &) = delete;

  /// The handle, for the program's own call.
  handle restore() {
    check(cublasSetPointerMode(h, mode), who);
    return h;
  }
  /// And again for those of derivatives.
  void resume() {
    check(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST), who);
  }

  T value_or_zero(const T *scalar) const {
    return scalar ? this->value(scalar) : 0;
  }

private:
  static stream stream_of(const char *who, handle h) {
    stream in = nullptr;
    check(cublasGetStream(h, &in), who);
    return in;
  }

  const char *who;
  handle h;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

/// \p shadow, of what the primal only reads.
template <class T> T *adjoint(const T *shadow) {
  return const_cast<T *>(shadow);
}

/// The compiler does not know of the addresses of variables of the device,
/// which the interface tells.
template <class V> void refuse_variable(V, const char *) {}
template <class V> void refuse_variable(V *operand, const char *who) {
  char *begin = nullptr;
  size_t bytes = 0;
  if (!operand || !symbol::first() || !is_device(operand))
    return;
  const symbol *s = range_of_variable(operand, begin, bytes, who);
  if (s && s->shadow)
    stop(who, "an operand is a variable of the device: copy it to memory that "
              "is allocated, and from there");
}
template <class D, auto F> struct without_variables;
template <class D, class R, class... A, R (*F)(A...)>
struct without_variables<D, F> {
  static R call(A... a) {
    (refuse_variable(a, D::who), ...);
    return F(a...);
  }
};

// The template FUNCTION gives derivatives of functions<T>::FUNCTION, of which
// ROLES says what the parameters are (as of ADZE_GPU_REGISTER). `augmented`,
// `reverse` and `forward` take these parameters, each pointer to floats
// followed by its shadow, which is null where there is none.
#define ADZE_GPU_BLAS_REGISTER(FUNCTION, ROLES)                                \
  template <class T>                                                           \
  __attribute__((used)) void *FUNCTION<T>::__adze_register_exchange[] = {      \
      reinterpret_cast<void *>(functions<T>::FUNCTION),                        \
      reinterpret_cast<void *>(                                                \
          &without_variables<FUNCTION, &augmented>::call),                     \
      reinterpret_cast<void *>(&reverse),                                      \
      reinterpret_cast<void *>(&without_variables<FUNCTION, &forward>::call),  \
      const_cast<char *>(ROLES)};                                              \
  template struct FUNCTION<float>;                                             \
  template struct FUNCTION<double>;

} // namespace adze::gpu::blas
#endif
