// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows are other memory than the primal's, and no more than that is known: shadows overlap where
// the caller lets them, arguments do, and what was a shadow in one call is a primal in the next.
#include "check.h"

#define N 24

// The adjoints of a[0] and b[0] are accumulated in every iteration.
double scaled(int n, const double *a, const double *b, const double *x) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[0] * x[i] + b[0] * x[i] * x[i];
  return s;
}

// The output is read, one element behind, through another argument.
void chase(int n, double *to, const double *from) {
  for (int i = 0; i < n; ++i)
    to[i] = from[i] * to[i] + 0.5 * from[i];
}

double chased(int n, double *to, const double *from) {
  chase(n, to, from);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += to[i] * (i + 1);
  return s;
}

// The same statements for all arguments that overlap.
static double chased_by_hand(int n, double *v) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    v[i + 1] = v[i] * v[i + 1] + 0.5 * v[i];
  for (int i = 0; i < n; ++i)
    s += v[i + 1] * (i + 1);
  return s;
}

double squares(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return s;
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_s(void *, ...);

ADZE_TEST_REVERSE(one_shadow) {
  // One shadow for two arguments, and one that is shifted: sums of both gradients.
  double a[1] = {2}, b[1] = {3}, x[N], dx[N + 1] = {0}, sum = 0, sum2 = 0;
  for (int i = 0; i < N; ++i) {
    x[i] = 0.25 * (i % 7) - 0.5;
    sum += x[i];
    sum2 += x[i] * x[i];
  }
  double both[1] = {1};
  __enzyme_autodiff_s((void *)scaled, enzyme_const, N, enzyme_dup, a, both, enzyme_dup, b, both,
                      enzyme_dup, x, dx);
  adze_near("both", both[0], 1 + sum + sum2, 1e-13);
  adze_near("x", dx[4], 2 + 6 * x[4], 1e-13);
  double inside[N + 1] = {0};
  __enzyme_autodiff_s((void *)scaled, enzyme_const, N, enzyme_dup, a, inside + 3, enzyme_dup, b,
                      inside + 4, enzyme_dup, x, inside);
  adze_near("inside 3", inside[3], 2 + 6 * x[3] + sum, 1e-13);
  adze_near("inside 4", inside[4], 2 + 6 * x[4] + sum2, 1e-13);
  adze_near("inside 5", inside[5], 2 + 6 * x[5], 1e-13);
}

ADZE_TEST_REVERSE(overlapping) {
  double v[N + 1], w[N + 1], d[N + 1] = {0};
  for (int i = 0; i <= N; ++i)
    v[i] = w[i] = 0.9 + 0.02 * (i % 5);
  __enzyme_autodiff_s((void *)chased, enzyme_const, N, enzyme_dup, v + 1, d + 1, enzyme_dup, v, d);
  for (int k = 0; k <= N; k += 5) {
    double step = 1e-5, up[N + 1], down[N + 1];
    for (int i = 0; i <= N; ++i)
      up[i] = down[i] = w[i];
    up[k] += step;
    down[k] -= step;
    double want = (chased_by_hand(N, up) - chased_by_hand(N, down)) / (2 * step);
    adze_near("overlapping", d[k], want, 1e-6);
  }
}

// Two buffers change roles with each call, in one function that the derivative may be inlined into.
ADZE_TEST_REVERSE(changing_roles) {
  double p[N], q[N], want[N];
  for (int i = 0; i < N; ++i) {
    p[i] = want[i] = 0.1 + 0.01 * i;
    q[i] = 0;
  }
  for (int turn = 0; turn < 6; ++turn) {
    double *x = turn % 2 ? q : p, *dx = turn % 2 ? p : q;
    for (int i = 0; i < N; ++i)
      dx[i] = 0;
    __enzyme_autodiff_s((void *)squares, enzyme_const, N, enzyme_dup, x, dx);
    for (int i = 0; i < N; ++i)
      want[i] = 3 * want[i] * want[i];
  }
  for (int i = 0; i < N; ++i)
    adze_near("roles", p[i], want[i], 1e-12);
}
#endif

#if ADZE_FORWARD
extern double __enzyme_fwddiff_s(void *, ...);

// A direction that is the point itself, and a direction that two arguments share.
ADZE_TEST_FORWARD(own_direction) {
  double a[1] = {2}, b[1] = {3}, one[1] = {1}, x[N], sum = 0, sum2 = 0;
  for (int i = 0; i < N; ++i) {
    x[i] = 0.25 * (i % 7) - 0.5;
    sum += x[i];
    sum2 += x[i] * x[i];
  }
  double r = __enzyme_fwddiff_s((void *)scaled, enzyme_const, N, enzyme_dup, a, one, enzyme_dup, b,
                                one, enzyme_dup, x, x);
  adze_near("own", r, sum + sum2 + 2 * sum + 6 * sum2, 1e-13);
}

ADZE_TEST_FORWARD(overlapping_directions) {
  double v[N + 1], d[N + 1] = {0}, up[N + 1], down[N + 1], step = 1e-5;
  for (int i = 0; i <= N; ++i) {
    v[i] = 0.9 + 0.02 * (i % 5);
    d[i] = 1 - 0.1 * (i % 3);
    up[i] = v[i] + step * d[i];
    down[i] = v[i] - step * d[i];
  }
  double r = __enzyme_fwddiff_s((void *)chased, enzyme_const, N, enzyme_dup, v + 1, d + 1,
                                enzyme_dup, v, d);
  double want = (chased_by_hand(N, up) - chased_by_hand(N, down)) / (2 * step);
  adze_near("overlapping", r, want, 1e-6);
}
#endif
