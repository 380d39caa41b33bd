// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual functions whose object is known: vtables are constants that refer to functions.
#include "check.h"
#include <cmath>

struct Shape {
  virtual double area(double x) const = 0;
  virtual ~Shape() {}
};
struct Circle : Shape {
  double k;
  explicit Circle(double k) : k(k) {}
  double area(double x) const override { return k * x * x; }
};
struct Disc final : Circle {
  using Circle::Circle;
  double area(double x) const override { return Circle::area(x) + x; }
};

extern "C" double shapes(double x) {
  Circle c(3.0);
  Disc d(x);
  const Shape &s = c;
  return s.area(x) * d.area(x);
}
// 3 x^2 (x^3 + x)
static double derivative(double x) { return 15 * std::pow(x, 4) + 9 * x * x; }
ADZE_TEST_SCALAR1(shapes, ADZE_AT(0.5, -1.2), .derivative = derivative)
