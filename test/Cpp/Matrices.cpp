// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobians by columns are those by rows; Hessians are symmetric, and Jacobians
// of gradients; products with vectors are those with the matrices.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <array>
#include <map>
#include <vector>

using Vector = std::vector<double>;

static Vector wide(const Vector &x) {
  double s = 0, p = 1;
  for (double v : x) {
    s += std::sin(v);
    p *= v;
  }
  return {s, p, s * p};
}
static Vector tall(const Vector &x) {
  Vector y(3 * x.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = x[i % x.size()] * std::cos(double(i) * x[0]);
  return y;
}
static double bowl(const Vector &x) {
  double s = 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    s += std::exp(x[i] * x[(i + 1) % x.size()]) * x[i];
  return s;
}
static double scaled(const Vector &x, int power, double by) {
  return by * std::pow(x[0] * x[1], power);
}
struct Pair {
  double a;
  std::array<double, 2> b;
};
static Pair mixed(const Pair &p) {
  return {p.a * p.b[0], {p.b[1] * p.b[1], p.a}};
}

template <class A, class B> static void equal(const char *what, A &a, B &b) {
  holds(what, a.rows() == b.rows() && a.cols() == b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j)
      near(what, a(i, j), b(i, j));
}

template <class F> static void ways(const char *what, F &f, const Vector &x) {
  const auto j = adze::jacobian(f, x);
  const auto columns = adze::jacobian<adze::mode::forward>(f, x);
  const auto rows = adze::jacobian<adze::mode::reverse>(f, x);
  // The number of directions does not divide that of columns and rows.
  const auto by_three = adze::jacobian<adze::mode::forward, 3>(f, x);
  const auto by_eight = adze::jacobian<adze::mode::reverse, 8>(f, x);
  const auto one_by_one = adze::jacobian<adze::mode::forward, 1>(f, x);
  equal(what, j, columns);
  equal(what, j, rows);
  equal(what, one_by_one, columns);
  equal(what, one_by_one, by_three);
  equal(what, one_by_one, by_eight);
  holds(what, j.cols() == x.size() && j.rows() == f(x).size());
}

int main() {
  const Vector x{0.3, -0.7, 1.1, 0.2, 0.5, -0.9, 1.3};
  ways("wide", wide, x);
  ways("tall", tall, x);
  ways("empty", tall, Vector{0.5});

  const auto h = adze::hessian(bowl, x);
  const auto one_by_one = adze::hessian<1>(bowl, x);
  equal("Hessian in several directions", h, one_by_one);
  const Vector v{1, -2, 0.5, 3, 0, 0.1, 1};
  const Vector hv = adze::hvp(bowl, x, v);
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      near("symmetric", h(i, j), h(j, i));
      sum += h(i, j) * v[j];
    }
    near("product", hv[i], sum);
  }
  const auto of_gradient = adze::jacobian<adze::mode::forward>(
      [](const Vector &at) { return adze::gradient(bowl, at); }, x);
  equal("Jacobian of the gradient", h, of_gradient);

  const auto other = adze::hessian(scaled, Vector{2, 3}, 2, 0.5);
  near("other arguments", other(0, 1), 0.5 * 4 * 6);
  const Vector y{2, 3};
  const auto of_pointer =
      adze::hessian([](const double *p, int n) { return p[0] * p[1] * n; },
                    adze::buffer(y.data(), 2), 2);
  near("pointer", of_pointer(0, 1), 2);
  near("one number",
       adze::hessian([](double t) { return t * t * t; }, 2.0)(0, 0), 12);
  near("function of one",
       adze::hvp([](double t) { return t * t * t; }, 2.0, 1.0), 12);

  const auto m = adze::jacobian(mixed, Pair{2, {3, 4}});
  holds("structures", m.rows() == 3 && m.cols() == 3);
  near("structure", m(0, 0), 3);
  near("structure", m(0, 1), 2);
  near("structure", m(1, 2), 8);
  near("structure", m(2, 0), 1);
  const auto slope = adze::jacobian(scaled, Vector{2, 3}, 2, 0.5);
  holds("number", slope.rows() == 1 && slope.cols() == 2);
  near("number", slope(0, 1), 12);
  const auto slopes =
      adze::jacobian<adze::mode::forward>(scaled, Vector{2, 3}, 2, 0.5);
  near("number, forward", slopes(0, 0), 18);
  const auto pieces = adze::jacobian<adze::mode::forward>(
      [](const double *p, int n) {
        return std::map<int, double>{{n, p[0] * p[1]}, {n + 1, p[2]}};
      },
      adze::buffer(x.data(), 5), 2);
  near("map", pieces(0, 1), x[0]);
  near("map", pieces(1, 2), 1);
  const auto third = adze::gradient(
      [](double t) {
        return adze::hvp([](double s) { return s * s * s * s; }, t, 1.0);
      },
      2.0);
  near("third derivative", third, 48);
  return failures();
}
