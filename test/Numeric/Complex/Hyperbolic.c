// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csinh, ccosh, ctanh, casinh, cacosh, catanh.
#include "check.h"
#include <complex.h>

#define TEST(f)                                                                          \
  void test_##f(const double *x, double *y) {                                            \
    double complex z = f(x[0] + x[1] * I);                                               \
    y[0] = creal(z);                                                                     \
    y[1] = cimag(z);                                                                     \
  }                                                                                      \
  ADZE_TEST_MAP(test_##f, 2, 2, ADZE_AT(0.75, 1.125, -0.5, -0.7))

TEST(csinh)
TEST(ccosh)
TEST(ctanh)
TEST(casinh)
TEST(cacosh)
TEST(catanh)
