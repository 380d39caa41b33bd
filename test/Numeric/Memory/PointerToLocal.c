// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store through a pointer to a local; the pointer is chosen at run time.
#include "check.h"

static void bump(double *p, double by) { *p = *p * by + 1; }

double pointers(double x, double y) {
  double a = x, b = y;
  double *p = x > y ? &a : &b;
  bump(p, x);
  *p *= y;
  bump(&a, b);
  double **pp = &p;
  **pp += a * b;
  return a - 2 * b;
}

ADZE_TEST_SCALAR2(pointers, ADZE_AT(0.9, 0.4, -0.3, 1.2))
