// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the copies of cuBLAS between host and device, of vectors and
// matrices:
//
//   B = copy(A)     A' += B'; B' = 0
//
// A vector is a matrix of one row. What the elements are, the calls and kernels
// tell that take the memory of the device.
#ifndef ADZE_GPU_BLASTRANSFERS_HPP
#define ADZE_GPU_BLASTRANSFERS_HPP

#include "adze/gpu/BlasPasses.hpp"

namespace adze::gpu::blas {

/// A matrix of elements of a size, in memory of the host or the device.
struct matrix {
  void *elements;
  int rows, columns, size, ld;

  char *at(int row, int column) const {
    return static_cast<char *>(elements) +
           (row + size_t(column) * ld) * size_t(size);
  }
  size_t bytes() const { return size_t(rows) * columns * size; }
  template <class F> void for_each(F f) const {
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row)
        f(at(row, column));
  }
};

/// A packed matrix of the host, as long as the object lives.
class packed {
public:
  packed(const matrix &like, const char *who)
      : m{calloc(like.bytes() + 1, 1), like.rows, like.columns, like.size,
          like.rows} {
    if (!m.elements)
      stop(who, "no memory");
  }
  ~packed() { free(m.elements); }
  packed(const packed &) = delete;
  packed &operator=(const packed &) = delete;
  const matrix m;
};

/// Between host and device, or within the host.
inline void transfer(const matrix &to, const matrix &from, const char *who) {
  if (to.rows == 0 || to.columns == 0)
    return;
  if (is_device(to.elements))
    check(cublasSetMatrix(to.rows, to.columns, to.size, from.elements, from.ld,
                          to.elements, to.ld),
          who);
  else if (is_device(from.elements))
    check(cublasGetMatrix(to.rows, to.columns, to.size, from.elements, from.ld,
                          to.elements, to.ld),
          who);
  else
    for (int column = 0; column < to.columns; ++column)
      for (int row = 0; row < to.rows; ++row)
        memcpy(to.at(row, column), from.at(row, column), size_t(to.size));
}

/// The sum is made by the host: \p terms lie there.
template <class T>
void add(const matrix &to, const packed &terms, const char *who) {
  packed sums(to, who);
  transfer(sums.m, to, who);
  T *sum = static_cast<T *>(sums.m.elements);
  auto *term = static_cast<const T *>(terms.m.elements);
  for (size_t i = 0; i < to.bytes() / sizeof(T); ++i)
    sum[i] += term[i];
  transfer(to, sums.m, who);
}

/// A copy, and the shadows of its ends.
struct transferred {
  matrix to, from;
  void *to_shadow, *from_shadow;

  matrix target_shadow() const {
    matrix m = to;
    m.elements = to_shadow;
    return m;
  }
  matrix source_shadow() const {
    matrix m = from;
    m.elements = from_shadow;
    return m;
  }

  void forward(const char *who) const {
    if (!to_shadow)
      return;
    if (from_shadow)
      transfer(target_shadow(), source_shadow(), who);
    else
      transfer(target_shadow(), packed(to, who).m, who);
  }

  void reverse(const move &done) const {
    memory &m = memory::of_thread();
    m.reverse(done.who);
    const unsigned holds = holds_of(m.find(to.elements), m.find(from.elements));
    if (to_shadow) {
      packed adjoints(to, done.who);
      transfer(adjoints.m, target_shadow(), done.who);
      if (from_shadow && holds != numbers)
        add_back(adjoints, holds, done.who);
      transfer(target_shadow(), packed(to, done.who).m, done.who);
    }
    m.end();
  }

private:
  void add_back(const packed &adjoints, unsigned holds, const char *who) const {
    if (holds == doubles && to.size == sizeof(double))
      return add<double>(source_shadow(), adjoints, who);
    if (holds == floats && to.size == sizeof(float))
      return add<float>(source_shadow(), adjoints, who);
    bool zero = true;
    adjoints.m.for_each([&](const char *element) {
      for (int i = 0; i < adjoints.m.size; ++i)
        zero &= element[i] == 0;
    });
    if (!zero)
      stop(who, "nothing tells what the memory that it copies holds, or "
                "elements of another size: no call of cuBLAS and no kernel of "
                "ADZE_KERNEL takes it so");
  }
};

struct transfer_result {
  move *done;
  cublasStatus_t status;
};

// The two ends of a copy are of the host and the device, in either order.
#define ADZE_GPU_BLAS_MATRIX_COPY(NAME)                                        \
  struct NAME {                                                                \
    static constexpr const char *who = "cublas" #NAME;                         \
    static transferred of(int rows, int columns, int size, const void *a,      \
                          const void *a_shadow, int lda, void *b,              \
                          void *b_shadow, int ldb) {                           \
      return {{b, rows, columns, size, ldb},                                   \
              {const_cast<void *>(a), rows, columns, size, lda},               \
              shadow_at(b, b_shadow, who),                                     \
              shadow_at(a, const_cast<void *>(a_shadow), who)};                \
    }                                                                          \
    static transfer_result augmented(int rows, int columns, int size,          \
                                     const void *a, const void *, int lda,     \
                                     void *b, void *, int ldb) {               \
      const move m = move::begin(who, b, a, nullptr);                          \
      return {keep(m), cublas##NAME(rows, columns, size, a, lda, b, ldb)};     \
    }                                                                          \
    static void reverse(int rows, int columns, int size, const void *a,        \
                        const void *a_shadow, int lda, void *b,                \
                        void *b_shadow, int ldb, move *done) {                 \
      of(rows, columns, size, a, a_shadow, lda, b, b_shadow, ldb)              \
          .reverse(*done);                                                     \
      free(done);                                                              \
    }                                                                          \
    static cublasStatus_t forward(int rows, int columns, int size,             \
                                  const void *a, const void *a_shadow,         \
                                  int lda, void *b, void *b_shadow, int ldb) { \
      of(rows, columns, size, a, a_shadow, lda, b, b_shadow, ldb)              \
          .forward(who);                                                       \
      return cublas##NAME(rows, columns, size, a, lda, b, ldb);                \
    }                                                                          \
    static void *__adze_register_exchange[];                                   \
  };                                                                           \
  ADZE_GPU_REGISTER(NAME, cublas##NAME, "nnnrnwn")

#define ADZE_GPU_BLAS_VECTOR_COPY(NAME, MATRIX)                                \
  struct NAME {                                                                \
    static constexpr const char *who = "cublas" #NAME;                         \
    static transfer_result augmented(int n, int size, const void *x,           \
                                     const void *, int incx, void *y, void *,  \
                                     int incy) {                               \
      const move m = move::begin(who, y, x, nullptr);                          \
      return {keep(m), cublas##NAME(n, size, x, incx, y, incy)};               \
    }                                                                          \
    static void reverse(int n, int size, const void *x, const void *x_shadow,  \
                        int incx, void *y, void *y_shadow, int incy,           \
                        move *done) {                                          \
      MATRIX::reverse(1, n, size, x, x_shadow, incx, y, y_shadow, incy, done); \
    }                                                                          \
    static cublasStatus_t forward(int n, int size, const void *x,              \
                                  const void *x_shadow, int incx, void *y,     \
                                  void *y_shadow, int incy) {                  \
      MATRIX::of(1, n, size, x, x_shadow, incx, y, y_shadow, incy)             \
          .forward(who);                                                       \
      return cublas##NAME(n, size, x, incx, y, incy);                          \
    }                                                                          \
    static void *__adze_register_exchange[];                                   \
  };                                                                           \
  ADZE_GPU_REGISTER(NAME, cublas##NAME, "nnrnwn")

ADZE_GPU_BLAS_MATRIX_COPY(SetMatrix)
ADZE_GPU_BLAS_MATRIX_COPY(GetMatrix)
ADZE_GPU_BLAS_VECTOR_COPY(SetVector, SetMatrix)
ADZE_GPU_BLAS_VECTOR_COPY(GetVector, GetMatrix)

} // namespace adze::gpu::blas
#endif
