// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of functions that ask for derivatives, all of one type: in
// unoptimized code, too, each knows which function it is given.
// ADZE: standards=17
#include "expect.hpp"
#include <adze/adze.hpp>
#include <array>
#include <enzyme/enzyme>

using Pair = std::array<double, 2>;

static double bowl(const Pair &x) { return x[0] * x[0] * x[0] * x[1] * x[1]; }
static double steep(const Pair &x) {
  const Pair g = adze::gradient(bowl, x);
  return g[0] * g[1];
}
static double curved(const Pair &x) {
  const auto h = adze::hessian<1>(bowl, x);
  return h(0, 0) * h(1, 1);
}
static double cube(double x) { return x * x * x; }
static double along(double x) {
  return enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(
      cube, enzyme::Duplicated<double>(x, 1.0)));
}

int main() {
  const Pair x{1, 2};
  const Pair g = adze::gradient(steep, x);
  near("gradient of a gradient", g[0] + g[1], 240 + 72);
  const Pair h = adze::gradient(curved, x);
  near("third derivatives", h[0] + h[1], 192 + 48);
  near("tangent of a tangent",
       enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(
           along, enzyme::Duplicated<double>(2.0, 1.0))),
       12);
  return failures();
}
