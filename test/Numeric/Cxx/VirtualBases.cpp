// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual bases: where they stand in an object only its table says, and objects
// of several classes follow each other in the same memory.
//
// ADZE: may-refuse=O1
#include "check.h"
#include <memory>
#include <vector>

namespace {

struct Base {
  double w;
  explicit Base(double w) : w(w) {}
  virtual ~Base() = default;
  virtual double eval(double t) const { return w * t; }
};
struct Left : virtual Base {
  double l;
  Left(double w, double l) : Base(w), l(l) {}
  double eval(double t) const override { return Base::eval(t) + l; }
};
struct Right : virtual Base {
  double r;
  Right(double w, double r) : Base(w), r(r) {}
  virtual double extra() const { return r * w; }
};
struct Both : Left, Right {
  double q[2];
  Both(double a, double b, double c)
      : Base(a * b), Left(0, b), Right(0, c), q{a, c} {}
  double eval(double t) const override {
    return Left::eval(t) * extra() + q[0];
  }
  double extra() const override { return Right::extra() + q[1]; }
};

} // namespace

extern "C" double virtualBases(const double *x, int n) {
  std::vector<std::unique_ptr<Base>> v;
  v.emplace_back(new Base(x[0]));
  v.emplace_back(new Left(x[1], x[2]));
  v.emplace_back(new Both(x[0], x[n - 1], x[2]));
  v.push_back(std::make_unique<Right>(x[2], x[1]));
  double s = 1;
  for (auto &p : v) {
    s = p->eval(s);
    if (auto *r = dynamic_cast<Right *>(p.get()))
      s += r->extra();
  }
  Both d(x[0], x[1], x[2]), c = d;
  c.w *= 2;
  c = d;
  Right &r = c;
  return s * r.extra() + static_cast<Base &>(c).eval(x[3]);
}
ADZE_TEST_ARRAY(virtualBases, 4, ADZE_AT(0.7, -1.3, 2.1, 0.4))
