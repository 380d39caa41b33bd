// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dynamic_cast: down, across a diamond, to a virtual base's other side,
// failing, of shared pointers.
// ADZE: libcxx
#include "check.h"
#include <math.h>
#include <memory>

namespace {
struct Base {
  double b = 1;
  virtual ~Base() {}
  virtual double value(double x) const { return x * b; }
};
struct Left : virtual Base {
  double l = 2;
  double value(double x) const override { return x * x * l; }
};
struct Right : virtual Base {
  double r = 3;
  virtual double right(double x) const { return sin(x) * r; }
};
struct Both : Left, Right {
  double d = 4;
  double value(double x) const override { return x * d * l * r * b; }
  double right(double x) const override { return cos(x) * d; }
};
__attribute__((noinline)) double total(const Base *p, double x) {
  double s = p->value(x);
  if (auto *l = dynamic_cast<const Left *>(p))
    s += l->l * x;
  if (auto *r = dynamic_cast<const Right *>(p))
    s += r->right(x) * r->r;
  if (auto *d = dynamic_cast<const Both *>(p))
    s *= d->d;
  return s;
}
} // namespace

extern "C" double f(const double *x, int) {
  Both d;
  Right e;
  Left l;
  d.d = x[0];
  d.l = x[1] * x[2];
  e.r = x[2];
  l.l = x[3];
  Base *all[] = {&d, &e, &l};
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += total(all[i], x[i]);
  Right *right = &d;
  if (auto *left = dynamic_cast<Left *>(right)) {
    left->l *= x[1];
    s += d.l * left->l;
  }
  std::shared_ptr<Base> shared = std::make_shared<Left>(l);
  if (auto left = std::dynamic_pointer_cast<Left>(shared))
    s += left->l * left->l;
  return s;
}
ADZE_TEST_ARRAY(f, 4, ADZE_AT(0.5, 0.8, -0.3, 1.1))
