// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two floats in one 64-bit integer, taken apart by shifts.
#include "check.h"
#include <stdint.h>
#include <string.h>

static float low(uint64_t p) {
  uint32_t b = (uint32_t)p;
  float f;
  memcpy(&f, &b, 4);
  return f;
}
static float high(uint64_t p) {
  uint32_t b = (uint32_t)(p >> 32);
  float f;
  memcpy(&f, &b, 4);
  return f;
}

void packed(const float *x, float *y) {
  uint64_t p;
  memcpy(&p, x, 8);
  y[0] = low(p) * high(p);
  uint32_t a, b;
  memcpy(&a, x, 4);
  memcpy(&b, x + 1, 4);
  uint64_t q = (uint64_t)a << 32 | b;
  memcpy(y + 1, &q, 8);
}
static void d(const double *x, double *j) {
  const double v[6] = {x[1], x[0], 0, 1, 1, 0};
  memcpy(j, v, sizeof v);
}
ADZE_TEST_MAP_T(float, packed, 2, 3, ADZE_AT(0.75, 1.25, -0.5, 2.0), .jacobian = d)
