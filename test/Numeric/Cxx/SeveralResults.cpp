// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers as templates, of functions that return arrays, pairs, complex numbers
// and classes.
#include "check.h"
#include <array>
#include <complex>
#include <utility>

struct Two {
  double x, y;
};
struct Vec {
  double x, y, z;
  Vec operator+(const Vec &o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec operator*(double s) const { return {x * s, y * s, z * s}; }
};
struct VecAndDouble {
  Vec v;
  double s;
};

std::array<double, 3> toArray(double x, double y) { return {x * y, x * x, y}; }
std::pair<double, double> toPair(double x) { return {x * x, x * x * x}; }
std::complex<double> cube(std::complex<double> z) { return z * z * z; }
VecAndDouble scaled(VecAndDouble a) { return {a.v * a.s + a.v, a.s}; }
std::array<double, 40> many(double x) {
  std::array<double, 40> r;
  for (int i = 0; i < 40; i++)
    r[i] = i * x * x;
  return r;
}

#if ADZE_REVERSE
template <typename RT, typename... Args> RT __enzyme_autodiff(void *, Args...);

ADZE_TEST_REVERSE(results) {
  std::array<double, 3> a{1, 2, 3};
  Two d = __enzyme_autodiff<Two>((void *)toArray, 3.0, 4.0, a);
  adze_near("array, x", d.x, 4 + 12, 0);
  adze_near("array, y", d.y, 3 + 3, 0);
  std::pair<double, double> p{1, 10};
  adze_near("pair", __enzyme_autodiff<double>((void *)toPair, 2.0, p), 4 + 120,
            0);
  std::complex<double> z{1, 2}, one{1, 0}, slope = 3.0 * z * z;
  auto c =
      __enzyme_autodiff<std::complex<double>>((void *)cube, enzyme_out, z, one);
  adze_near("complex, re", c.real(), slope.real(), 1e-15);
  adze_near("complex, im", c.imag(), -slope.imag(), 1e-15);
  VecAndDouble v{{1, 2, 3}, 4}, w{{1, 10, 100}, 1000};
  auto g = __enzyme_autodiff<VecAndDouble>((void *)scaled, enzyme_out, v, w);
  adze_near("class, y", g.v.y, 50, 0);
  adze_near("class, s", g.s, 1 + 20 + 300 + 1000, 0);
  std::array<double, 40> ones;
  ones.fill(1);
  adze_near("many", __enzyme_autodiff<double>((void *)many, 3.0, ones), 780 * 6,
            0);
}
#endif
#if ADZE_FORWARD
template <typename RT, typename... Args> RT __enzyme_fwddiff(void *, Args...);

ADZE_TEST_FORWARD(results) {
  auto a = __enzyme_fwddiff<std::array<double, 3>>((void *)toArray, 3.0, 1.0,
                                                   4.0, 0.0);
  adze_near("array", a[1], 6, 0);
  std::complex<double> z{1, 2}, one{1, 0}, slope = 3.0 * z * z;
  auto c = __enzyme_fwddiff<std::complex<double>>((void *)cube, z, one);
  adze_near("complex, re", c.real(), slope.real(), 1e-15);
  adze_near("complex, im", c.imag(), slope.imag(), 1e-15);
}
#endif
