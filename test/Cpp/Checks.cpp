// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// check_gradient tells right gradients from wrong ones.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <string>
#include <vector>

static double smooth(const std::vector<double> &x, double by, int n) {
  double s = 0;
  for (double v : x)
    s += std::sin(by * v) * n;
  return s;
}
static float single(float x, float y) { return std::sin(x) * y; }
static double of_pointer(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return s;
}
// Differences see the slope of a staircase, derivatives its steps.
static double staircase(double x) { return std::floor(1e6 * x) * 1e-6; }
static double undefined(double x) { return std::sqrt(x - 2); }

int main() {
  const std::vector<double> v{0.3, 0.7, -1.2};
  const auto check = adze::check_gradient(smooth, v, 0.8, 2);
  holds("smooth", check.agrees);
  holds("says so", check.text().find("right") != std::string::npos);
  holds("modes agree", check.modes_differ < 1e-14);
  holds("float", bool(adze::check_gradient(single, 0.5f, 2.0f)));
  holds("pointer",
        bool(adze::check_gradient(of_pointer, adze::buffer(v.data(), 3), 3)));
  const auto wrong = adze::check_gradient(staircase, 0.5);
  holds("staircase", !wrong);
  holds("says so", wrong.text().find("WRONG") != std::string::npos);
  holds("not a number", !adze::check_gradient(undefined, 1.0));
  adze::tolerances strict;
  strict.differences = 1e-30;
  holds("strict", !adze::check_gradient(strict, smooth, v, 0.8, 2));
  return failures();
}
