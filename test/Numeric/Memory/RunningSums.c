// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of which the reverse adds to one element in each iteration, with other
// sums beside it, which are to the same element if the caller's shadows are the
// same or overlap.
#include "check.h"

#define N 9

// Columns of a triangular solve: each adjoint in front gets a sum from all
// behind it.
static void columns(int n, const double *l, double *y) {
  for (int j = 0; j < n; ++j) {
    y[j] /= l[j * n + j];
    for (int i = j + 1; i < n; ++i)
      y[i] -= l[i * n + j] * y[j];
  }
}

double solved(int n, const double *l, const double *b, double *y) {
  for (int i = 0; i < n; ++i)
    y[i] = b[i];
  columns(n, l, y);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (i + 1) * y[i] * y[i];
  return s;
}

static void solve(const double *x, double *out) {
  double y[N];
  out[0] = solved(N, x, x + N * N, y);
}
#define POINTS                                                                 \
  2.1, .1, -.2, .3, 0, .1, -.2, .3, 0, .3, 1.9, .1, -.2, .3, 0, .1, -.2, .3,   \
      -.2, .3, 2.2, .1, -.2, .3, 0, .1, -.2, .1, -.2, .3, 1.7, .1, -.2, .3, 0, \
      .1, 0, .1, -.2, .3, 2.4, .1, -.2, .3, 0, .3, 0, .1, -.2, .3, 1.8, .1,    \
      -.2, .3, -.2, .3, 0, .1, -.2, .3, 2.3, .1, -.2, .1, -.2, .3, 0, .1, -.2, \
      .3, 2.0, .1, 0, .1, -.2, .3, 0, .1, -.2, .3, 2.6, 1, .5, -.7, .3, .9,    \
      -.4, .8, .2, -1.1
static const double points[] = {POINTS};
ADZE_TEST_MAP(solve, N *N + N, 1, ADZE_AT(POINTS))

// In place, by columns: a column is read while the row in front of it gets
// sums.
static void factor(double *a) {
  for (int j = 0; j < N; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < N; ++i)
        a[i * N + j] -= a[i * N + k] * a[j * N + k];
    for (int i = j + 1; i < N; ++i)
      a[i * N + j] /= a[j * N + j];
  }
}
static void factored(const double *x, double *y) {
  double a[N * N];
  for (int i = 0; i < N * N; ++i)
    a[i] = x[i];
  factor(a);
  for (int i = 0; i < N; ++i)
    y[i] = a[i * N + i] + a[(N - 1) * N + i];
}
ADZE_TEST_MAP(factored, N *N, N, ADZE_AT(POINTS))

// Sums on a condition, to an element that is in no memory where the condition
// never holds.
double chosen(int n, const double *x, const double *scale, const int *use,
              double *y) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    if (use[i])
      y[i] += scale[0] * x[i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i];
  return s;
}

// The sum that a loop leaves goes on in the loop around it.
double nested(int n, const double *w, const double *x) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      s += w[0] * x[i] * x[j] + w[1] * x[j];
  return s;
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_r(void *, ...);

// A shadow of the matrix that begins within the one of the right-hand side, by
// steps of one element: each element gets the sum of both.
ADZE_TEST_REVERSE(overlapping_shadows) {
  double y[N], dy[N] = {0}, dl[N * N] = {0}, db[N] = {0};
  __enzyme_autodiff_r((void *)solved, enzyme_const, N, enzyme_dup, points, dl,
                      enzyme_dup, points + N * N, db, enzyme_dup, y, dy);
  for (int shift = 0; shift < 2 * N; ++shift) {
    double both[N * N + 3 * N] = {0}, work[N] = {0};
    __enzyme_autodiff_r((void *)solved, enzyme_const, N, enzyme_dup, points,
                        both + N, enzyme_dup, points + N * N, both + shift,
                        enzyme_dup, y, work);
    for (int i = 0; i < N * N + 3 * N; ++i) {
      double want = (i >= N && i < N * N + N ? dl[i - N] : 0) +
                    (i >= shift && i < shift + N ? db[i - shift] : 0);
      adze_near("overlapping", both[i], want, 1e-12);
    }
  }
}

ADZE_TEST_REVERSE(never_there) {
  double x[N], y[N], dx[N] = {0}, dy[N] = {0};
  int use[N] = {0};
  for (int i = 0; i < N; ++i)
    x[i] = 0.5 + 0.1 * i;
  __enzyme_autodiff_r((void *)chosen, enzyme_const, N, enzyme_dup, x, dx,
                      enzyme_dup, (double *)0, (double *)0, enzyme_const, use,
                      enzyme_dup, y, dy);
  for (int i = 0; i < N; ++i)
    adze_near("x", dx[i], 3 * x[i] * x[i], 1e-13);
}

ADZE_TEST_REVERSE(sometimes_there) {
  double x[N], y[N], dx[N] = {0}, dy[N] = {0}, want = 0;
  int use[N];
  for (int i = 0; i < N; ++i) {
    x[i] = 0.5 + 0.1 * i;
    use[i] = i % 3 == 1;
    want += use[i] * x[i] * x[i];
  }
  double scale[1] = {0.7}, dscale[1] = {2};
  __enzyme_autodiff_r((void *)chosen, enzyme_const, N, enzyme_dup, x, dx,
                      enzyme_dup, scale, dscale, enzyme_const, use, enzyme_dup,
                      y, dy);
  adze_near("scale", dscale[0], 2 + want, 1e-13);
  for (int i = 0; i < N; ++i)
    adze_near("x", dx[i], 3 * x[i] * x[i] + 2 * use[i] * 0.7 * x[i], 1e-13);
  // The scale's shadow is one of those of x, or of the work space.
  for (int k = 0; k < N; ++k) {
    double all[N] = {0}, work[N] = {0};
    __enzyme_autodiff_r((void *)chosen, enzyme_const, N, enzyme_dup, x, all,
                        enzyme_dup, scale, all + k, enzyme_const, use,
                        enzyme_dup, y, work);
    for (int i = 0; i < N; ++i)
      adze_near("shared", all[i], dx[i] + (i == k ? want : 0), 1e-13);
  }
}

ADZE_TEST_REVERSE(from_loop_to_loop) {
  double w[2] = {0.5, -0.25}, x[N], sum = 0;
  for (int i = 0; i < N; ++i)
    sum += x[i] = 0.3 * (i % 4) - 0.2;
  for (int k = 0; k < N - 1; ++k) {
    double d[N] = {0};
    __enzyme_autodiff_r((void *)nested, enzyme_const, N, enzyme_dup, w, d + k,
                        enzyme_dup, x, d);
    for (int i = 0; i < N; ++i) {
      double want = 2 * w[0] * sum + N * w[1];
      want += i == k ? sum * sum : i == k + 1 ? N * sum : 0;
      adze_near("nested", d[i], want, 1e-12);
    }
  }
}
#endif
