// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes on callees: always_inline, pure, const, noinline, hot, and a local label.
#include "check.h"

static inline __attribute__((always_inline)) double a(double x) { return x * x; }
__attribute__((noinline, const)) static double b(double x) { return x * x * x; }
__attribute__((noinline, pure)) static double c(const double *x) { return x[0] * x[1]; }
__attribute__((noinline, cold)) static double e(double x) { return 1 / x; }

void attributes(const double *x, double *y) {
  y[0] = a(x[0]) * b(x[1]) + c(x);
  y[1] = b(c(x)) * e(a(x[1]));
}

ADZE_TEST_MAP(attributes, 2, 2, ADZE_AT(0.9, 1.3, -0.5, 2.0))
