// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One array passed for two restrict arguments, which is allowed as long as nobody writes it: the
// shadows are one array too, and are written.
#include "check.h"

#define N 12

// The adjoints of a[0] and b[0] are sums over the loop.
__attribute__((noinline)) static double weighted(int n, const double *restrict a,
                                                 const double *restrict b,
                                                 const double *restrict x) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[0] * x[i] + b[0] * x[i] * x[i];
  return s;
}

__attribute__((noinline)) static double dot(int n, const double *restrict a,
                                            const double *restrict b) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i] * (i + 1);
  return s;
}

// Writes the odd places through one argument, and reads the even ones through both.
__attribute__((noinline)) static void odd(int n, double *restrict to, const double *restrict from) {
  for (int i = 0; i + 1 < n; i += 2)
    to[i + 1] = to[i] * from[i] * (i + 1);
}

void same(const double *p, double *y) {
  double t[N];
  for (int i = 0; i < N; ++i)
    t[i] = p[i] * p[i];
  odd(N, t, t);
  y[0] = weighted(N, p, p, t);
  y[1] = dot(N, p, p);
  y[2] = dot(N - 3, t + 3, t);
  for (int i = 0; i < N; ++i)
    y[3 + i] = t[i];
}

ADZE_TEST_MAP(same, N, 3 + N,
              ADZE_AT(0.5, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, -0.1, -0.2, -0.3, -0.4))

#if ADZE_REVERSE
extern void __enzyme_autodiff_w(void *, ...);

ADZE_TEST_REVERSE(one_shadow) {
  double p[1] = {2}, dp[1] = {0}, x[N], dx[N] = {0}, sum = 0;
  for (int i = 0; i < N; ++i) {
    x[i] = 0.25 * (i % 7) - 0.5;
    sum += x[i] + x[i] * x[i];
  }
  __enzyme_autodiff_w((void *)weighted, enzyme_const, N, enzyme_dup, p, dp, enzyme_dup, p, dp,
                      enzyme_dup, x, dx);
  adze_near("p", dp[0], sum, 1e-13);
  adze_near("x", dx[4], 2 + 4 * x[4], 1e-13);
}
#endif
