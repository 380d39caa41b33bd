// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A derived class puts its members in the padding at the end of its base; both
// are copied.
#include "check.h"

struct Base {
  Base(double v, int k) : value(v), kind(k) {}
  double value;
  int kind;
};
struct Derived : Base {
  Derived(double v, int k, float s) : Base(v, k), scale(s) {}
  float scale;
};

static double use(Base b) { return b.value * b.kind; }

extern "C" void bases(const double *x, double *y) {
  Derived d[2] = {{x[0] * x[1], 2, (float)0.5}, {x[1] * x[2], 3, (float)0.25}};
  Derived c = d[1];
  static_cast<Base &>(d[1]) = d[0];
  y[0] = use(d[1]) * c.value + (double)d[1].scale * c.value;
  y[1] = use(c) * (double)d[0].scale;
}

ADZE_TEST_MAP(bases, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
