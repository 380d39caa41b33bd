// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sample of the float functions, whose values travel as one vector of two.
#include "check.h"
#include <complex.h>

#define TEST(F)                                                                          \
  void test_##F(const float *x, float *y) {                                              \
    float complex z = F##f(x[0] + x[1] * (float complex)I);                              \
    y[0] = crealf(z);                                                                    \
    y[1] = cimagf(z);                                                                    \
  }                                                                                      \
  static void twin_##F(const long double *x, long double *y) {                           \
    long double complex z = F##l(x[0] + x[1] * (long double complex)I);                  \
    y[0] = creall(z);                                                                    \
    y[1] = cimagl(z);                                                                    \
  }                                                                                      \
  ADZE_TEST_MAP_T(float, test_##F, 2, 2, ADZE_AT(0.75, 1.125), .twin = twin_##F,         \
                  .tolerance = 5e-5)

TEST(cexp)
TEST(clog)
TEST(csqrt)
TEST(csin)
TEST(ctanh)
TEST(casin)

float length(const float *x, int n) { return cabsf(x[0] + x[n - 1] * (float complex)I); }
static void d(const double *x, double *j) {
  double r = cabs(x[0] + x[1] * I);
  j[0] = x[0] / r;
  j[1] = x[1] / r;
}
ADZE_TEST_ARRAY_T(float, length, 2, ADZE_AT(0.75, 1.125), .jacobian = d)
