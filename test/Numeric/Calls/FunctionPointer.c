// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls through pointers that the optimizer or the call site can know.
#include "check.h"
#include <math.h>

static double twice(double x) { return 2 * x * x; }
static double thrice(double x) { return 3 * x; }
__attribute__((noinline)) static double apply(double (*f)(double), double x) {
  return f(x) * x;
}

double pointers(double x, double y) {
  return apply(twice, x) + apply(thrice, y) * apply(sin, x);
}

ADZE_TEST_SCALAR2(pointers, ADZE_AT(0.9, 1.3))
