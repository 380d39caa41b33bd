// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are arguments of what is differentiated: several of one type, which only markers mention,
// members of structures, lambdas, also such that capture nothing, of which nothing is passed.
// ADZE: modes=reverse
#include "check.h"
#include <cmath>
#include <functional>
#include <vector>

double square(double x) { return x * x; }
double apply(double (*f)(double), double x) { return f(x) * 2; }
double apply_reference(double (&f)(double), double x) { return f(x); }
template <class F> double with(F f, double x) { return f(x) * 2; }
template <class F> double between(double x, F f, double y) { return f(x) * y; }
struct Scale {
  double k;
  double operator()(double x) const { return k * x * x; }
};
struct Pair {
  double (*f)(double);
  double (*g)(double);
};
double both(const Pair *p, double x) { return p->f(x) * p->g(x); }
double member(const Scale *s, double (Scale::*m)(double) const, double x) { return (s->*m)(x); }
double chain(const std::vector<std::function<double(double)>> &fs, double x) {
  for (auto &f : fs)
    x = f(x);
  return x;
}

#if ADZE_REVERSE
double __enzyme_autodiff(...);

ADZE_TEST_REVERSE(functions) {
  double k = 5;
  auto nothing = [](double x) { return x * x; };
  auto value = [k](double x) { return x * x * k; };
  auto reference = [&k](double x) { return x * x * k; };
  adze_near("pointer", __enzyme_autodiff((void *)apply, enzyme_const, square, enzyme_out, 3.0), 12, 0);
  adze_near("pointer to a lambda", __enzyme_autodiff((void *)apply, enzyme_const, +nothing, enzyme_out, 3.0), 12, 0);
  adze_near("untagged", __enzyme_autodiff((void *)apply, square, square, 3.0), 12, 0);
  adze_near("library", __enzyme_autodiff((void *)apply, enzyme_const, static_cast<double (*)(double)>(std::exp), 0.0), 2, 0);
  adze_near("reference", __enzyme_autodiff((void *)apply_reference, enzyme_const, square, enzyme_out, 3.0), 6, 0);
  adze_near("no capture", __enzyme_autodiff((void *)with<decltype(nothing)>, enzyme_const, nothing, enzyme_out, 3.0), 12, 0);
  adze_near("no capture, between",
            __enzyme_autodiff((void *)between<decltype(nothing)>, enzyme_out, 3.0, enzyme_const, nothing, enzyme_const, 4.0),
            24, 0);
  adze_near("value", __enzyme_autodiff((void *)with<decltype(value)>, enzyme_const, value, enzyme_out, 3.0), 60, 0);
  adze_near("reference", __enzyme_autodiff((void *)with<decltype(reference)>, enzyme_const, reference, enzyme_out, 3.0), 60, 0);
  adze_near("class", __enzyme_autodiff((void *)with<Scale>, enzyme_const, Scale{2}, enzyme_out, 3.0), 24, 0);
  Pair p{square, static_cast<double (*)(double)>(std::sin)};
  adze_near("members", __enzyme_autodiff((void *)both, enzyme_const, &p, enzyme_out, 3.0), 6 * std::sin(3.) + 9 * std::cos(3.), 1e-14);
  Scale s{2};
  adze_near("member function", __enzyme_autodiff((void *)member, enzyme_const, &s, enzyme_const, &Scale::operator(), enzyme_out, 3.0), 12, 0);
  std::vector<std::function<double(double)>> fs{square, value, nothing};
  adze_near("std::function", __enzyme_autodiff((void *)chain, enzyme_const, &fs, enzyme_out, 1.5), 8 * 25 * std::pow(1.5, 7), 1e-11);
}
#endif
