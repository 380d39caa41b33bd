// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode, pullbacks, and that both agree: <u, J v> = <J' u, v>.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <array>
#include <complex>
#include <map>
#include <optional>
#include <string>
#include <vector>

using Vector = std::vector<double>;

static Vector swirl(const Vector &x, double by) {
  Vector y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.push_back(std::sin(by * x[i]) * x[(i + 1) % x.size()]);
  y.push_back(by * by);
  return y;
}
static std::array<double, 2> polar(double r, double phi) {
  return {r * std::cos(phi), r * std::sin(phi)};
}
struct State {
  double position, speed;
  int steps;
};
static State advance(const State &s, double dt) {
  return {s.position + dt * s.speed, s.speed - dt * std::sin(s.position),
          s.steps + 1};
}
static std::complex<double> rotated(std::complex<double> z, double phi) {
  return z * std::complex<double>(std::cos(phi), std::sin(phi));
}
static std::map<std::string, double> tabulated(double x) {
  return {{"square", x * x}, {"cube", x * x * x}};
}
static std::optional<double> positive(double x) {
  return x > 0 ? std::optional<double>(x * x) : std::nullopt;
}
static void in_place(double *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] *= x[i - 1];
}
static double dot(const Vector &a, const Vector &b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}

static void forward() {
  const auto [value, tangent] = adze::jvp([](double x) { return x * x * x; },
                                          adze::duplicated(2.0, 10.0));
  near("value", value, 8);
  near("tangent", tangent, 120);
  const auto two =
      adze::jvp(polar, adze::duplicated(2.0, 1.0), adze::duplicated(0.0, 3.0));
  near("result of several numbers", two.tangent[0], 1);
  near("its second", two.tangent[1], 6);
  near("its value", two.value[0], 2);
  const auto one =
      adze::jvp(polar, adze::constant(2.0), adze::duplicated(0.0, 1.0));
  near("constant", one.tangent[0], 0);
  near("not constant", one.tangent[1], 2);
  double x[] = {2, 3, 4}, dx[] = {1, 0, 1};
  adze::jvp(in_place, adze::duplicated(x, dx), 3);
  near("without result", x[2], 24);
  near("its tangent", dx[2], 18);
  const State s = adze::directional(advance, State{0, 1, 0}, State{1, 2, 0},
                                    adze::constant(0.5));
  near("structure", s.position, 2);
  near("structure's second", s.speed, 1.5);
  const auto full = adze::jvp(
      advance, adze::duplicated(State{0, 1, 4}, State{}), adze::constant(0.5));
  near("its integer", full.value.steps, 5);
  near("that of its tangent", full.tangent.steps, 5);
  const auto table = adze::directional(tabulated, 2.0, 1.0);
  near("map", table.at("square"), 4);
  const auto maybe = adze::directional(positive, 2.0, 3.0);
  holds("optional", maybe && *maybe == 3 * 4);
  holds("no optional", !adze::directional(positive, -2.0, 3.0));
  const auto z = adze::directional(rotated, std::complex<double>(0, 1),
                                   std::complex<double>(1, 0), 0.0);
  near("complex", z.real(), 1);
}

static void backward() {
  const Vector x{0.3, -0.7, 1.1}, v{1, 2, -1}, u{0.5, -1, 2, 0.25};
  auto [y, back] = adze::vjp(swirl, x, 0.8);
  near("value", y[3], 0.64);
  const auto [dx, dby] = back(u);
  const auto [value, along] =
      adze::jvp(swirl, adze::duplicated(x, v), adze::duplicated(0.8, 3.0));
  near("value twice", value[1], y[1]);
  near("identity", dot(u, along), dot(dx, v) + 3 * dby);
  const auto [again, more] = back(u);
  near("again", dot(again, v) + 3 * more, dot(u, along));
  const auto last = std::get<1>(std::move(back)(u));
  near("for the last time", last, dby);

  auto kept = adze::vjp(polar, 2.0, 0.5);
  auto moved = std::move(kept.pullback);
  near("moved", std::get<0>(moved({1, 0})), std::cos(0.5));
  near("second row", std::get<1>(moved({0, 1})), 2 * std::cos(0.5));

  double factor = 3;
  auto of_lambda = adze::vjp([=](double t) { return factor * t * t; }, 2.0);
  near("lambda", of_lambda.pullback(10.0), 120);
  auto of_state = adze::vjp(advance, State{0, 1, 0}, adze::constant(0.5));
  const State ds = of_state.pullback(State{0, 1, 0});
  near("structure", ds.position, -0.5);
  near("structure's second", ds.speed, 1);
  near("its integer", of_state.value.steps, 1);
  auto of_table = adze::vjp(tabulated, 2.0);
  near("map", of_table.value.at("cube"), 8);
  // The tape of a map serves once.
  near("map's derivative",
       std::move(of_table.pullback)({{"square", 1}, {"cube", 10}}), 124);
  adze::vjp(swirl, x, 0.8); // never asked
}

static void many_pullbacks() {
  std::vector<decltype(adze::vjp(polar, 1.0, 0.0).pullback)> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(adze::vjp(polar, 1.0 + i, 0.0).pullback);
  double sum = 0;
  for (auto &back : all)
    sum += std::get<1>(back({0, 1}));
  near("several at a time", sum, 15);
}

int main() {
  forward();
  backward();
  many_pullbacks();
  return failures();
}
