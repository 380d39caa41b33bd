// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that write their results.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <array>

static void cubes(const std::vector<double> &x, double &y) {
  y = 0;
  for (double v : x)
    y += v * v * v;
}
static void scaled(const std::vector<double> &x, double a,
                   std::vector<double> &y, double &sum) {
  y.clear();
  sum = 0;
  for (double v : x) {
    y.push_back(a * v * v);
    sum += a * v;
  }
}
/// Adds to what is there.
static void accumulate(double x, int n, double &y) { y = y * x + n; }
struct Line {
  double slope;
  void at(double x, std::array<double, 2> &y) const {
    y = {slope * x, slope * x * x};
  }
};
struct State {
  double energy;
  std::vector<double> force;
};
static void evaluate(double a, const std::vector<double> &x, State &s) {
  s.energy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    s.energy += a * x[i];
    s.force[i] = a * a * x[i];
  }
}

int main() {
  const std::vector<double> x{1, 2, 3};
  double y = 7;
  near("gradient", adze::gradient(cubes, x, adze::output(y))[2], 27);
  near("written", y, 36);
  const auto [value, d] = adze::value_and_gradient(cubes, x, adze::output(y));
  near("value", value, 36);
  near("its gradient", d[1], 12);
  y = 5;
  near("begins with", adze::gradient(accumulate, 2.0, 3, adze::output(y)), 5);
  near("what is there", y, 13);

  std::vector<double> squares;
  double sum = 0;
  auto [both, back] =
      adze::vjp(scaled, x, 2.0, adze::output(squares), adze::output(sum));
  near("first output", squares[2], 18);
  near("second output", sum, 12);
  near("as value", std::get<1>(both), 12);
  const auto [dx, da] = back({{1, 0, 1}, 10});
  near("pullback", dx[2], 12 + 20);
  near("of a number", da, 10 + 60);
  const auto again = back({{0, 1, 0}, 0});
  near("again", std::get<0>(again)[1], 8);

  std::array<double, 2> at;
  auto [there, from] = adze::vjp(&Line::at, Line{3}, 2.0, adze::output(at));
  const auto [line, dt] = from({1, 1});
  near("member", there[1], 12);
  near("its object", line.slope, 6);
  near("its argument", dt, 3 + 12);

  // With adjoints in shadows.
  State s{0, {0, 0, 0}}, ds{1, {0, 0, 1}};
  const auto [by_a, by_x] =
      adze::gradient(evaluate, 2.0, x, adze::duplicated(s, ds));
  near("by number", by_a, 6 + 2 * 2 * 3);
  near("by vector", by_x[2], 2 + 4);
  near("adjoint is used", ds.energy + ds.force[2], 0);
  near("state", s.force[2], 12);
  return failures();
}
