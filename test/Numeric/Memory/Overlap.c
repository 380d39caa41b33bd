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

// A count that cannot be computed unless the loop runs.
APART double halves(const double *x, double *y, unsigned n, unsigned parts) {
  double s = 0;
  if (parts != 0)
    for (unsigned i = 0; i < n / parts; ++i) {
      y[i] = x[i] * x[i];
      s += y[i] * x[i];
    }
  for (unsigned i = 0; i < n; ++i)
    s += x[i];
  return s;
}
double divided(const double *x, int n) {
  double y[4] = {0};
  return halves(x, y, (unsigned)n, (unsigned)n - 3) +
         halves(x, y, (unsigned)n, (unsigned)n - 2);
}
ADZE_TEST_ARRAY(divided, 3, ADZE_AT(0.5, 0.25, -0.75))

// Derivatives of derivatives go the way of the function.
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
APART double energy(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * x[n - 1 - i];
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i];
  return s;
}
APART void slopes(double *x, double *dx, double *y, double *dy, int n) {
  for (int i = 0; i < n; ++i)
    dx[i] = dy[i] = 0;
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, n);
}
APART double weighted(double *x, double *dx, double *y, double *dy, int n,
                      const double *w) {
  double s = 0;
  slopes(x, dx, y, dy, n);
  for (int i = 0; i < n; ++i)
    s += w[i] * dx[i];
  return s;
}
// Twice the sum of x[i]^3 x[n-1-i], but for i = n/2.
static double curvature(const double *x, int i, int j) {
  if (i == 1 || j == 1)
    return i == j ? 12 * x[1] * x[1] : 0;
  return i == j ? 6 * x[i] * x[2 - i] : 3 * (x[0] * x[0] + x[2] * x[2]);
}
#if ADZE_FORWARD
ADZE_TEST_FORWARD(columns) {
  double x[3] = {0.5, 0.7, -0.3};
  for (int k = 0; k < 3; ++k) {
    double dx[3], y[3], dy[3], tx[3] = {0}, tdx[3] = {0}, ty[3] = {0},
                               tdy[3] = {0};
    tx[k] = 1;
    __enzyme_fwddiff((void *)slopes, enzyme_dup, x, tx, enzyme_dup, dx, tdx,
                     enzyme_dup, y, ty, enzyme_dup, dy, tdy, enzyme_const, 3);
    for (int i = 0; i < 3; ++i)
      adze_near("column", tdx[i], curvature(x, i, k), 1e-12);
  }
}
#endif
#if ADZE_REVERSE
ADZE_TEST_REVERSE(product_with_weights) {
  double x[3] = {0.5, 0.7, -0.3}, w[3] = {1, 2, 3};
  double dx[3], y[3], dy[3], bx[3] = {0}, bdx[3] = {0}, by[3] = {0},
                             bdy[3] = {0};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, bx, enzyme_dup, dx, bdx,
                    enzyme_dup, y, by, enzyme_dup, dy, bdy, enzyme_const, 3,
                    enzyme_const, w);
  for (int k = 0; k < 3; ++k) {
    double want = 0;
    for (int i = 0; i < 3; ++i)
      want += w[i] * curvature(x, i, k);
    adze_near("weighted row", bx[k], want, 1e-12);
  }
}
#endif
