// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// goto between states, the next one chosen by the data.
#include "check.h"

double machine(double x, double y) {
  int steps = 0;
  double s = 0;
a:
  if (++steps > 15)
    return s;
  s += x;
  x = x * 0.8 - 0.1 * y;
  if (x > 0.3)
    goto b;
  goto c;
b:
  if (++steps > 15)
    return s * x;
  s += x * y;
  y = y * 0.9;
  if (s > 2)
    goto c;
  goto a;
c:
  if (++steps > 15)
    return s - y;
  x = x + 0.25 * y * y;
  if (steps & 1)
    goto b;
  goto a;
}

ADZE_TEST_SCALAR2(machine, ADZE_AT(1.0, 0.7, 0.2, 1.1, -0.5, 0.9))
