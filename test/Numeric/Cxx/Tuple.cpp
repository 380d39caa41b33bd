// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::tuple of a double, a number, a pointer and a float; structured bindings
// and std::tie.
#include "check.h"
#include <tuple>

static std::tuple<double, int, const double *, float> pack(const double *x,
                                                           int i) {
  return {x[i] * x[0], i, x + i, 0.5f};
}

extern "C" void tuples(const double *x, double *y) {
  auto [a, n, p, f] = pack(x, 1);
  double b;
  int m;
  std::tie(b, m, std::ignore, std::ignore) = pack(x, 2);
  auto both = std::tuple_cat(std::make_tuple(a, m), std::make_tuple(b * *p));
  y[0] = std::get<0>(both) * std::get<2>(both) * std::get<1>(both);
  y[1] = a * b * (double)f * n;
}

ADZE_TEST_MAP(tuples, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
