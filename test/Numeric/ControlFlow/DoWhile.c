// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body runs at least once, and the condition reads what it computed.
#include "check.h"

double newton(double a, double start) {
  double x = start, old;
  int rounds = 0;
  do {
    old = x;
    x = 0.5 * (x + a / x);
    ++rounds;
  } while ((old - x) * (old - x) > 1e-2 && rounds < 50);
  return x;
}

ADZE_TEST_SCALAR2(newton, ADZE_AT(2.0, 1.0, 9.0, 20.0, 0.5, 0.7))
