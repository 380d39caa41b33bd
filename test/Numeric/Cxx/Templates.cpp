// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small vector class with operators, templates on size, and lambdas.
#include "check.h"
#include <cmath>

template <typename T, int N> struct Vec {
  T v[N];
  T &operator[](int i) { return v[i]; }
  const T &operator[](int i) const { return v[i]; }
};
template <typename T, int N> Vec<T, N> operator+(const Vec<T, N> &a, const Vec<T, N> &b) {
  Vec<T, N> r;
  for (int i = 0; i < N; ++i)
    r[i] = a[i] + b[i];
  return r;
}
template <typename T, int N> T dot(const Vec<T, N> &a, const Vec<T, N> &b) {
  T s = 0;
  for (int i = 0; i < N; ++i)
    s += a[i] * b[i];
  return s;
}
template <typename F> static double apply(F f, double x) { return f(x) * x; }

extern "C" double vectors(const double *x, int n) {
  Vec<double, 3> a, b;
  for (int i = 0; i < 3; ++i) {
    a[i] = x[i % n];
    b[i] = std::sin(a[i]);
  }
  double scale = dot(a, b);
  return apply([&](double t) { return t * scale + a[1]; }, dot(a + b, a));
}

ADZE_TEST_ARRAY(vectors, 3, ADZE_AT(0.5, 0.7, -0.4))
