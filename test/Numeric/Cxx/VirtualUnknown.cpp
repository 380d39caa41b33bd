// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual functions of objects that are chosen at run time. The classes keep different things at the
// same place, and one of them calls virtually itself.
#include "check.h"
#include <cmath>
#include <memory>
#include <vector>

struct Term {
  virtual double at(double x) const = 0;
  virtual void scale(double k) { (void)k; }
  virtual ~Term() = default;
};
struct Power : Term {
  double a;
  int n;
  Power(double a, int n) : a(a), n(n) {}
  double at(double x) const override { return a * std::pow(x, n); }
  void scale(double k) override { a *= k; }
};
struct Wave : Term {
  long phase; // where Power has its factor
  double a;
  Wave(double a, long phase) : phase(phase), a(a) {}
  double at(double x) const override { return a * std::sin(x + double(phase)); }
};
struct Both : Term {
  std::unique_ptr<Term> l, r;
  Both(Term *l, Term *r) : l(l), r(r) {}
  double at(double x) const override { return l->at(x) * r->at(x); }
};

static std::unique_ptr<Term> make(int kind, double a) {
  if (kind == 0)
    return std::make_unique<Power>(a, 3);
  if (kind == 1)
    return std::make_unique<Wave>(a, 2);
  return std::make_unique<Both>(new Power(a * a, 2), new Wave(2.0, 1));
}

extern "C" double terms(const double *x, int n) {
  std::vector<std::unique_ptr<Term>> all;
  for (int i = 0; i < n; ++i)
    all.push_back(make(i % 3, x[i]));
  double s = 0;
  for (auto &t : all) {
    t->scale(x[0]);
    s += t->at(x[1]);
  }
  return s;
}

ADZE_TEST_ARRAY(terms, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
