// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas that capture active and constant arrays, by reference and by value, handed to a function
// that calls them.
#include "check.h"

template <class F> __attribute__((noinline)) static void loop(int n, F body) {
  for (int i = 0; i < n; ++i)
    body(i);
}

template <class F> __attribute__((noinline)) static double sum(int n, const F &term) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += term(i);
  return s;
}

extern "C" double captures(const double *x, const double *c, double *y, int n) {
  loop(n, [&](int i) { y[i] = c[i] * x[i] * x[i]; });
  loop(n, [=](int i) { y[i] *= c[i]; });
  return sum(n, [&](int i) { return (i % 2 ? x : c)[i] * y[i]; });
}

// y_i = c_i^2 x_i^2; r = c0 y0 + x1 y1 + c2 y2
#if ADZE_REVERSE
extern void __enzyme_autodiff_c(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[3] = {2, 3, 5}, d[3] = {0, 0, 0}, y[3], dy[3] = {0, 0, 100};
  const double c[3] = {7, 11, 13};
  __enzyme_autodiff_c((void *)captures, enzyme_dup, x, d, enzyme_const, c, enzyme_dup, y, dy, 3);
  adze_near("d0", d[0], 7 * 49 * 4, 0);
  adze_near("d1", d[1], 3 * 121 * 9, 0);
  adze_near("d2", d[2], 13 * 169 * 10 + 100 * 169 * 10, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_c(void *, ...);
ADZE_TEST_FORWARD(forward) {
  const double c[3] = {7, 11, 13}, want[3] = {7 * 49 * 4, 3 * 121 * 9, 13 * 169 * 10};
  for (int k = 0; k < 3; ++k) {
    double x[3] = {2, 3, 5}, d[3] = {0, 0, 0}, y[3], dy[3] = {7, 7, 7};
    d[k] = 1;
    double r = __enzyme_fwddiff_c((void *)captures, enzyme_dup, x, d, enzyme_const, c, enzyme_dup,
                                  y, dy, 3);
    adze_near("r", r, want[k], 0);
    adze_near("dy", dy[2], k == 2 ? 169 * 10 : 0, 0);
  }
}
#endif
