// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of whatever can be called: functions, instances of templates,
// lambdas, functors, member functions, with arguments of all kinds.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <string>
#include <vector>

static double square(double x) { return x * x; }
static double product(double x, int n, float y) { return x * n * y; }
template <class T> static T cube(T x) { return x * x * x; }
static double powers(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s *= x[i];
  return s;
}
static double sum_of_squares(const std::vector<double> &x) {
  double s = 0;
  for (double v : x)
    s += v * v;
  return s;
}
/// Text beside numbers, in a function whose name alone is passed on.
struct Labelled {
  double total;
  std::vector<double> values;
  std::string label;
};
static Labelled labelled(double x) {
  Labelled made{};
  made.total = 3 * x;
  made.values = {x, x * x};
  made.label = "too long a label to stand in the object";
  return made;
}
static double of_copies(const std::vector<double> &x) {
  Labelled first = labelled(x[0]), moved = std::move(first);
  moved.values.push_back(x[1]);
  Labelled copy = moved;
  copy.total *= x[2];
  return copy.total + copy.values[1] * copy.values[2] + moved.total +
         double(copy.label.size());
}
static double overwritten(double &x) {
  x = x * x;
  return std::sin(x);
}
static double by_value(std::vector<double> x, const std::vector<double> &y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= y[i];
  return x[0] + x[1];
}
__attribute__((noinline)) static double apart(double x) { return std::exp(x); }
static double recursive(double x, int n) {
  return n == 0 ? x : x * recursive(x, n - 1);
}

struct Spring {
  double stiffness, length;
  double operator()(double x) const {
    return stiffness * (x - length) * (x - length) / 2;
  }
  double force(double x) const { return stiffness * (x - length); }
};

enum class kind { linear, quadratic };
static double of_kind(kind k, double x) {
  return k == kind::linear ? x : x * x;
}

int main() {
  const double x = opaque(3);
  near("function", adze::gradient(square, x), 6);
  near("pointer to function", adze::gradient(&square, x), 6);
  near("template", adze::gradient(cube<double>, x), 27);
  near("float", adze::gradient(cube<float>, 2.0f), 12, 1e-6);
  near("long double", double(adze::gradient(cube<long double>, 2.0L)), 12);
  near("not inlined", adze::gradient(apart, x), std::exp(3.0));
  near("recursive", adze::gradient(recursive, x, 3), 4 * 27);
  near("math", adze::gradient([](double t) { return std::sin(t); }, x),
       std::cos(3.0));

  auto [dx, dy] = adze::gradient(product, x, 4, 0.5f);
  near("first of two", dx, 2);
  near("second of two", dy, 12);

  double factor = 5;
  near("captured by reference",
       adze::gradient([&](double t) { return factor * t * t; }, x), 30);
  near("captured by value",
       adze::gradient([=](double t) { return factor * t * t; }, x), 30);
  near("generic", adze::gradient([](auto t) { return t * t; }, x), 6);
  int calls = 0;
  near("counts",
       adze::gradient(
           [calls](double t) mutable {
             ++calls;
             return calls * t;
           },
           x),
       1);

  Spring spring{2, 1};
  near("functor", adze::gradient(spring, x), 4);
  auto [state, at] = adze::gradient(adze::active(spring), x);
  near("state of a functor", state.stiffness, 2);
  near("its other member", state.length, -4);
  near("and its argument", at, 4);
  near("member function",
       adze::gradient([](const Spring &s, double t) { return s.force(t); },
                      adze::constant(spring), x),
       2);
  near("pointer to member",
       adze::gradient(&Spring::force, adze::constant(spring), x), 2);

  const std::vector<double> v{1, 2, 3};
  const auto g = adze::gradient(sum_of_squares, v);
  near("vector", g[0] + 10 * g[1] + 100 * g[2], 642);
  const auto p = adze::gradient(powers, adze::buffer(v.data(), 3), 3);
  near("pointer and size", p[0] + 10 * p[1] + 100 * p[2], 236);
  std::vector<double> shadow{100, 100, 100};
  adze::gradient(powers, adze::duplicated(v.data(), shadow.data()), 3);
  near("added to the user's shadow", shadow[2], 102);
  adze::gradient(sum_of_squares, adze::duplicated(v, shadow));
  near("and again", shadow[2], 108);
  const auto [a, b] = adze::gradient(by_value, v, std::vector<double>{4, 5, 6});
  near("vectors by value", a[0] + 10 * a[1] + 100 * a[2], 54);
  near("temporaries", b[0] + 10 * b[1] + 100 * b[2], 21);
  near("constant", adze::gradient(by_value, v, adze::constant(v))[1], 2);

  near("text", adze::gradient(of_copies, v)[0], 3 * v[2] + 2 * v[0] * v[1] + 3);
  double (*by_pointer)(const std::vector<double> &) = of_copies;
  near("text, by a pointer", adze::gradient(by_pointer, v)[1], v[0] * v[0]);

  double changed = x;
  near("overwritten", adze::gradient(overwritten, changed), 6 * std::cos(9.0));
  near("is overwritten", changed, 9);

  near("enumeration", adze::gradient(of_kind, kind::quadratic, x), 6);

  const auto both = adze::value_and_gradient(square, x);
  near("value", both.value, 9);
  near("gradient", both.gradient, 6);
  const double value = adze::value_and_gradient(
      powers, adze::duplicated(v.data(), shadow.data()), 3);
  near("value alone", value, 6);
  return failures();
}
