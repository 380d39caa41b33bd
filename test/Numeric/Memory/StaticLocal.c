// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals that are only read, a function-local static table, a string.
#include "check.h"

static const struct {
  const char *name;
  double factor;
} units[] = {{"m", 1.0}, {"km", 1000.0}, {"cm", 0.01}};

static double convert(double x, const char *unit) {
  for (unsigned i = 0; i < 3; ++i) {
    const char *a = units[i].name, *b = unit;
    while (*a && *a == *b)
      ++a, ++b;
    if (*a == *b)
      return x * units[i].factor;
  }
  return x;
}

double lengths(double x, double y) {
  static const char *const use = "cm";
  return convert(x * y, use) + convert(x, "km") * 1e-3 + convert(y * y, "m");
}

ADZE_TEST_SCALAR2(lengths, ADZE_AT(0.9, 1.1))
