// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variadic function without floats in the variable part.
#include "check.h"
#include <stdarg.h>

__attribute__((noinline)) static int largest(int n, ...) {
  va_list a;
  va_start(a, n);
  int best = 0;
  for (int i = 0; i < n; ++i) {
    int v = va_arg(a, int);
    best = v > best ? v : best;
  }
  va_end(a);
  return best;
}

double variadic(double x) { return x * x * largest(3, 4, 9, 2); }

static double d(double x) { return 18 * x; }
ADZE_TEST_SCALAR1(variadic, ADZE_AT(0.9, -1.5), .derivative = d)
