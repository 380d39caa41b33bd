// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of the mantissa is cleared by a mask, as where a product is made
// exact by splitting its factors: a rounding, whose derivative is taken for 1.
#include "check.h"
#include <stdint.h>
#include <string.h>

static double head(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  bits &= ~((1ull << 27) - 1);
  memcpy(&x, &bits, 8);
  return x;
}
static double upper(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  bits = (bits & 0xffffffff00000000u) | 0x12345678;
  memcpy(&x, &bits, 8);
  return x;
}
static float headf(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  bits &= 0xfffff000u;
  memcpy(&x, &bits, 4);
  return x;
}

double rounded(double x, double y) {
  double a = head(x), b = x - a, c = head(y), d = y - c;
  return a * c + (a * d + b * c) + b * d + 3.0 * upper(x * y) +
         (double)headf((float)(x + y));
}

// (The part of the function that is rounded: x y + 3 x y + x + y.)
static void exact(const double *x, double *J) {
  J[0] = 4.0 * x[1] + 1.0;
  J[1] = 4.0 * x[0] + 1.0;
}

ADZE_TEST_SCALAR2(rounded, ADZE_AT(0.75, 1.5, -1.25, 0.4), .jacobian = exact,
                  .exact = 1e-5, .flags = ADZE_NO_DIFFERENCES)
