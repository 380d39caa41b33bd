// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global variables registered inactive: what is stored there and not read to a result is
// dropped, what is read was stored by others.
// ADZE: vectorized
#include "check.h"
#include <math.h>

double scale = 3, last;
static double history[4];
static int at;
void *__enzyme_inactive_global_x[] = {&scale, &last};
void *__enzyme_inactive_global_history = history;

double f(double x) {
  double y = sin(x) * scale;
  last = y;
  history[at++ & 3] = y * x;
  return y * x;
}
static double d(double x) { return 3 * (cos(x) * x + sin(x)); }
ADZE_TEST_SCALAR1(f, ADZE_AT(0.5, -1.5), .derivative = d)
