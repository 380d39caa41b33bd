// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sample of the long double functions, whose values travel on the x87 stack.
#include "check.h"
#include <complex.h>

#define TEST(f)                                                                          \
  void test_##f(const ldouble *x, ldouble *y) {                                          \
    long double complex z = f##l(x[0] + x[1] * (long double complex)I);                  \
    y[0] = creall(z);                                                                    \
    y[1] = cimagl(z);                                                                    \
  }                                                                                      \
  ADZE_TEST_MAP_T(ldouble, test_##f, 2, 2, ADZE_AT(0.75, 1.125))

TEST(cexp)
TEST(clog)
TEST(csqrt)
TEST(ccos)
TEST(catan)
TEST(cacosh)
