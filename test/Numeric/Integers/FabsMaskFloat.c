// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same masks on floats.
#include "check.h"
#include <stdint.h>
#include <string.h>

float sign(float x, float y) {
  uint32_t a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  a = (a & 0x7fffffffu) | (b & 0x80000000u);
  memcpy(&x, &a, sizeof a);
  return x * y;
}
static void d(const double *x, double *j) {
  double s = (x[0] < 0) == (x[1] < 0) ? 1 : -1;
  j[0] = s * x[1];
  j[1] = s * x[0];
}
ADZE_TEST_SCALAR2_T(float, sign, ADZE_AT(0.9, 2.0, -0.3, 2.0, 0.4, -2.0), .jacobian = d)
