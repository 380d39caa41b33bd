// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cexp, clog, csqrt, cpow.
#include "check.h"
#include <complex.h>

#define TEST(f)                                                                          \
  void test_##f(const double *x, double *y) {                                            \
    double complex z = f(x[0] + x[1] * I);                                               \
    y[0] = creal(z);                                                                     \
    y[1] = cimag(z);                                                                     \
  }                                                                                      \
  ADZE_TEST_MAP(test_##f, 2, 2, ADZE_AT(0.75, 1.125, -0.5, -2.0, -1.0, 0.3))

TEST(cexp)
TEST(clog)
TEST(csqrt)

void power(const double *x, double *y) {
  double complex z = cpow(x[0] + x[1] * I, x[2] + x[3] * I);
  y[0] = creal(z);
  y[1] = cimag(z);
}
ADZE_TEST_MAP(power, 4, 2, ADZE_AT(0.75, 1.125, -0.5, 0.7))
