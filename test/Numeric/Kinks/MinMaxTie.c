// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmax and fmin at a tie give the whole derivative to the first operand; a ternary to the
// arm taken.
#include "check.h"
#include <math.h>

static const double first[] = {1, 0};
double largest(double x, double y) { return fmax(x, y); }
double smallest(double x, double y) { return fmin(x, y); }
ADZE_TEST_SCALAR2(largest, ADZE_AT(2.0, 2.0), .expected = first, .flags = ADZE_NO_DIFFERENCES)
ADZE_TEST_SCALAR2(smallest, ADZE_AT(2.0, 2.0), .expected = first,
                  .flags = ADZE_NO_DIFFERENCES)

// Branches that the optimizer may not turn into anything else but a select.
__attribute__((noinline)) static double square(double x) { return x * x; }
double taken(double x, double y) {
  if (x > y)
    return square(x);
  return square(y) + 0 * x;
}
static const double four[] = {0, 4};
ADZE_TEST_SCALAR2(taken, ADZE_AT(2.0, 2.0), .expected = four, .flags = ADZE_NO_DIFFERENCES)
double notLess(double x, double y) {
  if (x >= y)
    return square(x) * 0.5;
  return y;
}
static const double two[] = {2, 0};
ADZE_TEST_SCALAR2(notLess, ADZE_AT(2.0, 2.0), .expected = two, .flags = ADZE_NO_DIFFERENCES)
