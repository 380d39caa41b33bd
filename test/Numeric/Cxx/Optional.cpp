// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::optional<double> and of a struct, empty or not.
#include "check.h"
#include <optional>

struct Point {
  double x, y;
  int id;
};

static std::optional<double> root(double v) {
  if (v < 0)
    return std::nullopt;
  return v * v;
}
static std::optional<Point> move(const Point &p, double by) {
  if (p.id == 0)
    return {};
  return Point{p.x + by, p.y * by, p.id - 1};
}

extern "C" void optionals(const double *x, double *y) {
  Point p{x[0], x[1], 1};
  std::optional<Point> q = move(p, x[2]);
  std::optional<Point> r = move(*q, x[2]);
  y[0] = root(x[0]).value_or(x[1]) * root(x[2]).value_or(2 * x[1]);
  y[1] = q->x * q->y + (r ? r->x : x[2]);
}

ADZE_TEST_MAP(optionals, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
