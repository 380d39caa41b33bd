// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: modes=reverse fail-level=O2split reason="second derivatives of split mode: a tape of floats and pointers"
// __enzyme_todense: columns of unit matrices, entries that are collected in
// lists, in forward mode, reverse mode, and forward over reverse; float and
// double, distances of 32 and 64 bits.
#include "check.h"
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#if ADZE_REVERSE
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;
template <typename R, typename... A> R __enzyme_autodiff(void *, A...);
template <typename R, typename... A> R __enzyme_fwddiff(void *, A...);
template <typename R, typename... A> R __enzyme_todense(A...);

namespace {

template <typename T> struct Entry {
  std::size_t row, column;
  T value;
};
template <typename T> using Entries = std::vector<Entry<T>>;

template <typename T, typename D> __attribute__((always_inline)) T unit(D at, std::size_t j) {
  return std::size_t(at) / sizeof(T) == j;
}
template <typename T, typename D> void never(T, D, std::size_t) { std::abort(); }
template <typename T, typename D> T nothing(D, std::size_t, Entries<T> &) { return 0; }
template <typename T, typename D>
__attribute__((always_inline)) void collect(T v, D at, std::size_t j, Entries<T> &entries) {
  if (v != 0)
    entries.push_back({std::size_t(at) / sizeof(T), j, v});
}
template <typename T, typename D> T *unitView(std::size_t j) {
  return __enzyme_todense<T *>((void *)unit<T, D>, (void *)never<T, D>, j);
}

template <typename T> T springs(std::size_t n, const T *x) {
  T e = 0;
  for (std::size_t i = 0; i + 3 < n; i += 2) {
    T length = std::sqrt((x[i] - x[i + 2]) * (x[i] - x[i + 2]) +
                         (x[i + 1] - x[i + 3]) * (x[i + 1] - x[i + 3]));
    e += (length - 1) * (length - 1);
  }
  return e;
}
template <typename T> __attribute__((noinline)) T pair(const T *x, std::size_t i) {
  return x[i] * x[i + 1] * x[0];
}
/// Sums in one place, in many, in a callee, and of a copy.
template <typename T> T sums(std::size_t n, const T *x) {
  T e = 1, y[16];
  std::memcpy(y, x, n * sizeof(T));
  for (std::size_t i = 1; i < n; ++i)
    y[i] *= y[i - 1];
  for (std::size_t i = 0; i + 1 < n; ++i)
    e = e * x[1] + pair(x, i) + y[i];
  const T *p = x;
  for (; p != x + n; ++p)
    e += *p * *p * *x;
  return e;
}
template <typename T, T F(std::size_t, const T *)> void gradient(std::size_t n, const T *x, T *dx) {
  __enzyme_autodiff<void>((void *)F, enzyme_const, n, enzyme_dup, x, dx);
}
/// Running sums, a fill, and a place that is written twice.
void outputs(std::size_t n, const double *x, double *y) {
  std::memset(y, 0, n * sizeof(double));
  double s = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    s += x[i] * x[i];
    y[i] = s;
  }
  y[n - 1] += x[0] * x[n - 1];
}

template <typename T> void add(const Entries<T> &entries, T *matrix, std::size_t n) {
  for (const Entry<T> &e : entries)
    matrix[e.row * n + e.column] += e.value;
}

template <typename T, typename D, T F(std::size_t, const T *)> void compare(double tolerance) {
  constexpr std::size_t n = 8;
  T x[n], h[n * n] = {}, dx[n] = {}, sparse[n] = {};
  for (std::size_t i = 0; i < n; ++i)
    x[i] = T(std::sin(1.3 * double(i)) * 2);
  Entries<T> entries, row;
  for (std::size_t j = 0; j < n; ++j) {
    auto *out = __enzyme_todense<T *>((void *)nothing<T, D>, (void *)collect<T, D>, j, &entries);
    __enzyme_fwddiff<void>((void *)gradient<T, F>, enzyme_const, n, enzyme_dup, x,
                           unitView<T, D>(j), enzyme_dupnoneed, (T *)0x1, out);
  }
  add(entries, h, n);
  for (std::size_t j = 0; j < n; ++j) {
    T v[n] = {}, g[n] = {}, hv[n] = {};
    v[j] = 1;
    __enzyme_fwddiff<void>((void *)gradient<T, F>, enzyme_const, n, enzyme_dup, x, v, enzyme_dup,
                           g, hv);
    for (std::size_t i = 0; i < n; ++i)
      adze_near("Hessian", h[i * n + j], hv[i], tolerance);
  }
  __enzyme_autodiff<void>((void *)F, enzyme_const, n, enzyme_dup, x, dx);
  auto *out = __enzyme_todense<T *>((void *)nothing<T, D>, (void *)collect<T, D>, 0UL, &row);
  __enzyme_autodiff<void>((void *)F, enzyme_const, n, enzyme_dup, x, out);
  for (const Entry<T> &e : row)
    sparse[e.row] += e.value;
  for (std::size_t j = 0; j < n; ++j) {
    adze_near("reverse", sparse[j], dx[j], tolerance);
    adze_near("forward",
              __enzyme_fwddiff<T>((void *)F, enzyme_const, n, enzyme_dup, x, unitView<T, D>(j)),
              dx[j], tolerance);
  }
}

} // namespace

ADZE_TEST_REVERSE(dense) {
  compare<double, std::int64_t, springs<double>>(1e-13);
  compare<double, int, sums<double>>(1e-13);
  compare<float, std::int64_t, sums<float>>(1e-5);
  compare<float, int, springs<float>>(1e-5);

  constexpr std::size_t n = 5;
  double x[n] = {1, 2, 0.5, 3, 1.5}, y[n], jacobian[n * n] = {};
  Entries<double> entries;
  for (std::size_t j = 0; j < n; ++j)
    __enzyme_fwddiff<void>(
        (void *)outputs, enzyme_const, n, enzyme_dup, x, unitView<double, long>(j), enzyme_dup, y,
        __enzyme_todense<double *>((void *)nothing<double, long>, (void *)collect<double, long>, j,
                                   &entries));
  add(entries, jacobian, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      adze_near("Jacobian", jacobian[i * n + j],
                i + 1 < n ? (j <= i ? 2 * x[j] : 0) : j == 0 ? x[n - 1] : j == n - 1 ? x[0] : 0,
                1e-14);
}
#endif
