// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that would run for years, on ways that are not taken: no tape is made
// for them.
#include "check.h"
#include <math.h>

static volatile int never = 0;

double fixed(double x, double y) {
  double r = x;
  for (int i = 0; i < 5; ++i) {
    if (never)
      for (unsigned long k = 0; k < 0x1ffffffffffffffful; ++k)
        r = sin(r) * y;
    r *= cos(x + i);
  }
  return r;
}
ADZE_TEST_SCALAR2(fixed, ADZE_AT(0.7, 1.2))

// The distance of two pointers, of which the second does not come behind.
double distance(double x, double y) {
  double a[4] = {x, y, x * y, x + y}, r = x;
  double *end = never ? a + 3 : a;
  for (int i = 0; i < 5; ++i) {
    if (a + 1 < end)
      for (double *p = a + 1; p != end; ++p)
        r = sin(r) * *p;
    r *= cos(x + i);
  }
  return r;
}
ADZE_TEST_SCALAR2(distance, ADZE_AT(0.7, 1.2))
