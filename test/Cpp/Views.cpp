// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::span as an argument: its gradient is a vector.
// ADZE: standards=20
#include "expect.hpp"
#include <adze/adze.hpp>
#include <span>
#include <vector>

static double norm(std::span<const double> x) {
  double s = 0;
  for (double v : x)
    s += v * v;
  return std::sqrt(s);
}
static void doubled(std::span<double> x) {
  for (double &v : x)
    v *= 2 * v;
}
static std::vector<double> squares(std::span<const double> x) {
  std::vector<double> y;
  for (double v : x)
    y.push_back(v * v);
  return y;
}
static double first(std::span<const int> index, std::span<const double, 2> x) {
  return x[std::size_t(index[0])] * 3;
}

int main() {
  std::vector<double> x{2, 3, 6};
  const auto g = adze::gradient(norm, std::span<const double>(x));
  near("gradient", g[1], 3.0 / 7);
  near("span of numbers that are not const",
       adze::gradient(norm, std::span<const double>(std::span<double>(x)))[2],
       6.0 / 7);
  std::vector<double> dx(3);
  adze::gradient(norm, adze::duplicated(std::span<const double>(x), dx));
  near("user's shadow", dx[0], 2.0 / 7);
  const auto h = adze::hessian(norm, std::span<const double>(x));
  near("Hessian", h(0, 1), -6.0 / 343);
  const auto j = adze::jacobian(squares, std::span<const double>(x));
  near("Jacobian", j(1, 1), 6);
  auto [y, back] = adze::vjp(squares, std::span<const double>(x));
  near("pullback", back({0, 1, 0})[1], 6);
  holds("check", bool(adze::check_gradient(norm, std::span<const double>(x))));
  const int index[] = {1};
  const double two[] = {5, 7};
  near("integers are constant",
       adze::gradient(first, std::span<const int>(index),
                      std::span<const double, 2>(two))[1],
       3);
  std::vector<double> along{1, 0, 0};
  adze::jvp(doubled,
            adze::duplicated(std::span<double>(x), std::span<double>(along)));
  near("in place", x[0], 8);
  near("tangent in place", along[0], 8);
  return failures();
}
