// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that may overlap: apart, the same, and in part. One version of the
// derivative runs for those that are apart, and none of the bytes may decide
// wrongly.
#include "check.h"

#define APART __attribute__((noinline)) static

APART void product(const double *a, const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0;
    for (int j = 0; j < n; ++j)
      y[i] += a[i * n + j] * x[j];
  }
}
// In place, one element behind, neighbours, and far away.
void products(const double *in, double *out) {
  double a[9], w[12], y[3];
  for (int i = 0; i < 9; ++i)
    a[i] = in[i % 3] * (i + 1);
  for (int i = 0; i < 12; ++i)
    w[i] = in[i % 3] + 0.1 * i;
  product(a, w, w, 3);
  product(a, w + 1, w, 3);
  product(a, w, w + 2, 3);
  product(a, w + 6, w + 9, 3);
  product(w, a, y, 3);
  product(w, a, w + 8, 3);
  for (int i = 0; i < 12; ++i)
    out[i] = w[i];
  for (int i = 0; i < 3; ++i)
    out[12 + i] = y[i];
}
ADZE_TEST_MAP(products, 3, 15, ADZE_AT(0.5, 0.25, -0.75))

// Steps of both signs, unsigned counters, and triangles.
APART void steps(const double *x, double *y, long n, long step) {
  for (long i = n - 1; i >= 0; --i)
    y[i] = x[i * step] * x[i * step + 1] + y[i];
}
APART void solve(const double *l, double *x, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    double s = x[i];
    for (unsigned j = 0; j < i; ++j)
      s -= l[i * n + j] * x[j];
    x[i] = s / l[i * n + i];
  }
}
void strides(const double *in, double *out) {
  double w[16];
  for (int i = 0; i < 16; ++i)
    w[i] = in[i % 3] + 0.125 * i + 1;
  steps(w, w + 8, 4, 1);
  steps(w + 8, w, 4, -2);
  steps(w + 7, w + 3, 5, -1);
  steps(w, w, 5, 0);
  steps(w, w, 5, 2);
  solve(w, w + 9, 3);
  solve(w, w + 8, 3);
  solve(w + 4, w + 2, 3);
  for (int i = 0; i < 16; ++i)
    out[i] = w[i];
}
ADZE_TEST_MAP(strides, 3, 16, ADZE_AT(0.5, 0.25, -0.375))

// Loops that do not run, and counters that are narrow.
APART double empty(const double *x, double *y, int n, signed char m) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    for (signed char j = 0; j < m; ++j) {
      y[i] = x[i + j] * x[j];
      r += y[i] * x[i];
    }
  return r;
}
double counts(const double *x, int n) {
  double w[8] = {0};
  for (int i = 0; i < n; ++i)
    w[i] = x[i];
  double r = empty(w, w + 1, 2, 2) + empty(w, w + 4, 2, 2);
  r += empty(w, w, 0, 2) + empty(w, w + 4, 2, 0) + empty(w, w + 4, -1, -1);
  return r + w[1] + w[5];
}
ADZE_TEST_ARRAY(counts, 3, ADZE_AT(0.5, 0.25, -0.75))
