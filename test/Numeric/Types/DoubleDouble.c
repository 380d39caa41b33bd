// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splitting with bit masks (Dekker), frexp by hand, a comparison of bits.
#include "check.h"
#include <stdint.h>
#include <string.h>
static double high(double v) {
  uint64_t u;
  memcpy(&u, &v, 8);
  u &= 0xfffffffff8000000ULL;
  memcpy(&v, &u, 8);
  return v;
}
static int exponent(double v) {
  uint64_t u;
  memcpy(&u, &v, 8);
  return (int)(u >> 52 & 0x7ff) - 1023;
}
static int same(const double *a, const double *b) { return !memcmp(a, b, 8); }
void parts(const double *x, double *y) {
  double p = x[0] * x[1];
  int e = exponent(p);
  y[0] = p * (e + 3) * (same(&x[0], &x[2]) ? 2 : x[2]);
}
ADZE_TEST_MAP(parts, 3, 1, ADZE_AT(0.9, 1.1, -0.7))
