// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// z[i] = x[i] * y[i] with x const; z, then x itself, overwritten later; the product taken
// through a callee; the constant factor changed between two uses.
#include "check.h"
#define NOINLINE __attribute__((noinline)) static

NOINLINE void multiply(const double *x, const double *y, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * y[i];
}
double f(double *x, const double *y, double *z) {
  multiply(x, y, z, 3);
  double s = z[0] * z[1] + z[2];
  for (int i = 0; i < 3; ++i)
    x[i] += 1;
  multiply(x, z, z, 3);
  s += z[0] + z[1] * z[2];
  for (int i = 0; i < 3; ++i)
    z[i] = x[i] = 0;
  return s;
}
static void df(const double *x, const double *y, double *d) {
  double z[3], w[3];
  for (int i = 0; i < 3; ++i) {
    z[i] = x[i] * y[i];
    w[i] = (x[i] + 1) * z[i];
  }
  d[0] = x[0] * (z[1] + (x[0] + 1));
  d[1] = x[1] * (z[0] + (x[1] + 1) * w[2]);
  d[2] = x[2] * (1 + (x[2] + 1) * w[1]);
}
#if ADZE_REVERSE
double __enzyme_autodiff_z(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  for (int times = 0; times < 3; ++times) {
    double x0[3] = {2, 3, 5}, x[3] = {2, 3, 5}, y[3] = {1, 0.5, 2}, dy[3] = {0, 0, 0}, z[3],
           dz[3] = {1, 10, 100}, want[3];
    df(x0, y, want);
    __enzyme_autodiff_z((void *)f, enzyme_const, x, enzyme_dup, y, dy, enzyme_dup, z, dz);
    for (int i = 0; i < 3; ++i) {
      adze_near("dy", dy[i], want[i], 1e-14);
      adze_near("dz", dz[i], 0, 0);
      adze_near("x", x[i], 0, 0);
    }
  }
}
#endif
#if ADZE_FORWARD
double __enzyme_fwddiff_z(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x0[3] = {2, 3, 5}, x[3] = {2, 3, 5}, y[3] = {1, 0.5, 2}, dy[3] = {1, -2, 3}, z[3],
         dz[3] = {1, 10, 100}, want[3];
  df(x0, y, want);
  double got =
      __enzyme_fwddiff_z((void *)f, enzyme_const, x, enzyme_dup, y, dy, enzyme_dup, z, dz);
  adze_near("d", got, want[0] - 2 * want[1] + 3 * want[2], 1e-14);
  for (int i = 0; i < 3; ++i)
    adze_near("dz", dz[i], 0, 0);
}
#endif
