// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors, destructors, inheritance, default members, copies.
#include "check.h"
#include <cmath>

struct Base {
  double a, b = 2;
  explicit Base(double a) : a(a) {}
  Base(const Base &o) : a(o.a), b(o.b + 1) {}
};
struct Derived : Base {
  using Base::Base;
  double c = 3;
  double value() const { return a * b * c; }
};
struct Guard {
  double &target;
  explicit Guard(double &t) : target(t) { target *= 2; }
  ~Guard() { target += 1; }
};

extern "C" double build(double x) {
  Derived d(x * x);
  Derived copy(d);
  double s = copy.value();
  {
    Guard g(s);
    s *= d.value();
  }
  return s;
}
// s = 2 * (9 x^2) * (6 x^2) + 1
static double derivative(double x) { return 4 * 108 * x * x * x; }
ADZE_TEST_SCALAR1(build, ADZE_AT(0.5, -1.2), .derivative = derivative)
