// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that leads to active memory on one path and to constant memory on the other: read
// through in a loop, by select and by phi, once and many times.
#include "check.h"

__attribute__((noinline)) static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  return s;
}

double by_branch(const double *x, const double *c, int n) {
  const double *p = x;
  if (x[0] > 1.5)
    p = c;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * p[i] * x[i];
  return s;
}

double by_iteration(const double *x, const double *c, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    const double *p = (i % 2) ? c + i : x + i;
    s += *p * *p * x[0];
  }
  return s;
}

double by_select(const double *x, const double *c, int n, int both) {
  const double *p = both ? x : c;
  return p[0] * x[0] + p[1] * x[1] + p[2] + dot(p, x, n);
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_p(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  const double c[3] = {7, 11, 13};
  for (int big = 0; big < 2; ++big) {
    double x[3] = {big ? 2 : 1, 3, 5}, d[3] = {0, 0, 0};
    __enzyme_autodiff_p((void *)by_branch, enzyme_dup, x, d, enzyme_const, c, enzyme_const, 3);
    for (int i = 0; i < 3; ++i)
      adze_near("branch", d[i], big ? c[i] * c[i] : 3 * x[i] * x[i], 0);
  }
  {
    double x[3] = {2, 3, 5}, d[3] = {0, 0, 0};
    __enzyme_autodiff_p((void *)by_iteration, enzyme_dup, x, d, enzyme_const, c, enzyme_const, 3);
    adze_near("iteration 0", d[0], 3 * 4 + 121 + 25, 0);
    adze_near("iteration 1", d[1], 0, 0);
    adze_near("iteration 2", d[2], 2 * 5 * 2, 0);
  }
  for (int both = 0; both < 2; ++both) {
    double x[3] = {2, 3, 5}, d[3] = {0, 0, 0};
    __enzyme_autodiff_p((void *)by_select, enzyme_dup, x, d, enzyme_const, c, enzyme_const, 3,
                        enzyme_const, both);
    adze_near("select 0", d[0], both ? 8 : 14, 0);
    adze_near("select 1", d[1], both ? 12 : 22, 0);
    adze_near("select 2", d[2], both ? 1 + 10 : 13, 0);
  }
  adze_near("constant", c[0] + c[1] + c[2], 31, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_p(void *, ...);
ADZE_TEST_FORWARD(forward) {
  const double c[3] = {7, 11, 13};
  for (int k = 0; k < 3; ++k) {
    for (int big = 0; big < 2; ++big) {
      double x[3] = {big ? 2 : 1, 3, 5}, d[3] = {k == 0, k == 1, k == 2};
      double r =
          __enzyme_fwddiff_p((void *)by_branch, enzyme_dup, x, d, enzyme_const, c, enzyme_const, 3);
      adze_near("branch", r, big ? c[k] * c[k] : 3 * x[k] * x[k], 0);
    }
    double x[3] = {2, 3, 5}, d[3] = {k == 0, k == 1, k == 2};
    double want[3] = {3 * 4 + 121 + 25, 0, 2 * 5 * 2};
    double r = __enzyme_fwddiff_p((void *)by_iteration, enzyme_dup, x, d, enzyme_const, c,
                                  enzyme_const, 3);
    adze_near("iteration", r, want[k], 0);
    for (int both = 0; both < 2; ++both) {
      double select[2][3] = {{14, 22, 13}, {8, 12, 11}};
      r = __enzyme_fwddiff_p((void *)by_select, enzyme_dup, x, d, enzyme_const, c, enzyme_const, 3,
                             enzyme_const, both);
      adze_near("select", r, select[both][k], 0);
    }
  }
}
#endif
