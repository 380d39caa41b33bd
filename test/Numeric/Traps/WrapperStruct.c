// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct with constant and active fields returned through a wrapper and through a function
// pointer that is chosen at compile time; wrong at -O0 only, elsewhere.
#include "check.h"

struct result {
  double value, weight;
  int ok;
};
static struct result compute(double x) {
  struct result r = {x * x * x, 2.0, 1};
  return r;
}
static struct result wrap(double x) {
  struct result r = compute(x);
  if (!r.ok)
    r.value = 0;
  return r;
}
static struct result (*const table[])(double) = {compute, wrap};

double wrapped(double x) {
  struct result a = wrap(x), b = table[1](x + 1);
  return a.value * a.weight + b.value * b.weight * b.ok;
}
static double d(double x) { return 6 * x * x + 6 * (x + 1) * (x + 1); }
ADZE_TEST_SCALAR1(wrapped, ADZE_AT(0.5, -1.2), .derivative = d)
