// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants that refer to functions that refer to constants, deep and in a circle.
#include "check.h"

struct table {
  double (*f)(double, const struct table *);
  const struct table *next;
  double weight;
};
static double first(double x, const struct table *t);
static double second(double x, const struct table *t);
static const struct table a, b, c;
static const struct table a = {first, &b, 2};
static const struct table b = {second, &c, 3};
static const struct table c = {first, &a, 5};
static double first(double x, const struct table *t) { return x * t->weight * t->next->weight; }
static double second(double x, const struct table *t) {
  return x * x * t->weight + (t == &a ? a.weight : b.weight);
}

double circle(double x) { return first(x, &a) * second(x, &b) + first(x, a.next->next); }
// 6x (3x^2 + 3) + 10x
static double d(double x) { return 54 * x * x + 18 + 10; }
ADZE_TEST_SCALAR1(circle, ADZE_AT(0.5, -2.0), .derivative = d)
