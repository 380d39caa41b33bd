// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <typeinfo>
struct Base {
  virtual ~Base();
  virtual double value() const { return 1; }
};
struct Left : virtual Base {
  double l = 2;
  double value() const override { return l; }
};
struct Right : virtual Base {
  double r = 3;
};
struct Bottom final : Left, Right {
  double value() const override { return l + r; }
};
double values(Base &b, double (Base::*f)() const) { return b.value() + (b.*f)(); }
Left *as_left(Base *b) { return dynamic_cast<Left *>(b); }
bool is_bottom(const Base &b) { return typeid(b) == typeid(Bottom); }
Base *make() { return new Bottom; }
