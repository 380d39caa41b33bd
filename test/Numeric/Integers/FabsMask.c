// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fabs, negation and copysign by masks, through memcpy and through a union.
#include "check.h"
#include <stdint.h>
#include <string.h>

static uint64_t bits(double x) {
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}
static double number(uint64_t b) {
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

double absolute(double x) { return number(bits(x) & 0x7fffffffffffffffu); }
double negative(double x) { return number(bits(x) ^ 0x8000000000000000u); }
double minus(double x) { return number(bits(x) | 0x8000000000000000u); }
double sign(double x, double y) {
  return number((bits(x) & 0x7fffffffffffffffu) | (bits(y) & 0x8000000000000000u));
}

static double dabs(double x) { return x < 0 ? -1 : 1; }
static double dneg(double x) { return -1 + 0 * x; }
static double dminus(double x) { return x < 0 ? 1 : -1; }
static void dsign(const double *x, double *j) {
  j[0] = (x[0] < 0) == (x[1] < 0) ? 1 : -1;
  j[1] = 0;
}
ADZE_TEST_SCALAR1(absolute, ADZE_AT(0.9, -0.3), .derivative = dabs)
ADZE_TEST_SCALAR1(negative, ADZE_AT(0.9, -0.3), .derivative = dneg)
ADZE_TEST_SCALAR1(minus, ADZE_AT(0.9, -0.3), .derivative = dminus)
ADZE_TEST_SCALAR2(sign, ADZE_AT(0.9, 2.0, -0.3, 2.0, 0.4, -2.0, -0.5, -2.0),
                  .jacobian = dsign)
