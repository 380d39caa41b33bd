// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's own dual numbers, differentiated.
#include "check.h"
#include <math.h>

struct dual {
  double v, d;
};
static struct dual constant(double x) { return (struct dual){x, 0}; }
static struct dual mul(struct dual a, struct dual b) {
  return (struct dual){a.v * b.v, a.v * b.d + a.d * b.v};
}
static struct dual add(struct dual a, struct dual b) {
  return (struct dual){a.v + b.v, a.d + b.d};
}
static struct dual sine(struct dual a) {
  return (struct dual){sin(a.v), cos(a.v) * a.d};
}

// The derivative of sin(x*x) + 3x, so that the test's derivative is its second one.
double slope(double x) {
  struct dual a = {x, 1};
  return add(sine(mul(a, a)), mul(constant(3), a)).d;
}
static double second(double x) { return 2 * cos(x * x) - 4 * x * x * sin(x * x); }
ADZE_TEST_SCALAR1(slope, ADZE_AT(0.9, -0.3), .derivative = second)
