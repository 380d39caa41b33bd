// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::variant<double, int, const double *>, visited and assigned.
#include "check.h"
#include <variant>

using Value = std::variant<double, int, const double *>;

static double number(const Value &v) {
  if (const double *d = std::get_if<double>(&v))
    return *d;
  if (const int *i = std::get_if<int>(&v))
    return *i;
  return **std::get_if<const double *>(&v);
}

extern "C" void variants(const double *x, double *y) {
  Value v[3] = {x[0] * x[1], 3, &x[2]};
  y[0] = number(v[0]) * number(v[1]) * number(v[2]);
  v[1] = x[2] * x[2];
  y[1] = number(v[1]) * number(v[0]);
}

ADZE_TEST_MAP(variants, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
