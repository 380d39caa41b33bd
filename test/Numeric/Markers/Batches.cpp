// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __enzyme_batch: the function itself on sets of arguments, in functions that
// are differentiated, of functions that hold markers, with exceptions, of
// structures by value, of many sets.
#include "check.h"
#include <array>
#include <cmath>

extern int enzyme_width, enzyme_vector, enzyme_scalar, enzyme_buffer;
template <typename R, typename... A> R __enzyme_batch(A...);
extern "C" void __enzyme_batch_void(void *, ...);
template <int N> using Row = std::array<double, N>;

struct Point {
  double x, y;
};
struct Large {
  double x, y, z;
};
struct Small {
  float a, b, c;
};
static double area(Point p, double s) { return p.x * p.y * s; }
static Large scaled(Large v, int k) { return {v.x * k, v.y * k, std::sin(v.z) * k}; }
static Small shifted(Small v) { return {v.a + 1, v.b * v.a, v.c}; }
static double dot(const double *x, double s) { return s * x[0] * x[1]; }
static double power(double x, short n) { return std::pow(x, n); }
static void accumulate(const double *x, double *y, double a) { *y += a * *x * *x; }
static double root(double x) {
  if (x < 0)
    throw 7;
  return std::sqrt(x);
}

static double together(const double *x, int) {
  auto a = __enzyme_batch<Row<2>>((void *)area, enzyme_width, 2, enzyme_vector, Point{x[0], x[1]},
                                  Point{x[1], x[2]}, enzyme_scalar, x[2]);
  auto b = __enzyme_batch<std::array<Large, 2>>((void *)scaled, enzyme_width, 2, enzyme_vector,
                                                Large{x[0], x[1], x[2]},
                                                Large{a[0], a[1], 1}, enzyme_vector, 2, 3);
  auto c = __enzyme_batch<Row<2>>((void *)dot, enzyme_buffer, sizeof(double), x, enzyme_width, 2,
                                  enzyme_vector, b[0].z, b[1].x);
  auto d = __enzyme_batch<Row<3>>((void *)power, enzyme_width, 3, enzyme_vector, x[0], x[1], x[2],
                                  enzyme_vector, (short)1, (short)2, (short)3);
  return a[0] + 2 * a[1] + b[0].x * b[1].y + c[0] * c[1] + d[0] * d[1] * d[2];
}
ADZE_TEST_ARRAY(together, 3, ADZE_AT(0.5, 2.0, 1.25))

// In a loop, behind a pointer.
static void many(const double *x, double *y) {
  y[0] = x[1];
  double t[40], r[40] = {};
  for (int i = 0; i < 40; ++i)
    t[i] = x[0] + i * x[1];
  __enzyme_batch_void((void *)accumulate, enzyme_width, 40, enzyme_buffer, sizeof(double), t,
                      enzyme_buffer, sizeof(double), r, enzyme_scalar, x[1]);
  auto all = __enzyme_batch<Row<20>>((void *)dot, enzyme_width, 20, enzyme_buffer,
                                     2 * sizeof(double), r, enzyme_scalar, 0.01);
  for (double one : all)
    y[0] += one;
}
ADZE_TEST_MAP(many, 2, 1, ADZE_AT(0.3, 0.2))

static double caught(double x) {
  double sum = 0;
  for (int sign = -1; sign <= 1; sign += 2) {
    try {
      auto r = __enzyme_batch<Row<2>>((void *)root, enzyme_width, 2, enzyme_vector, x, sign * x);
      sum += r[0] * r[1];
    } catch (int thrown) {
      sum += thrown * x;
    }
  }
  return sum;
}
ADZE_TEST_SCALAR1(caught, ADZE_AT(2.5))

#if ADZE_REVERSE
template <typename R, typename... A> R __enzyme_autodiff(A...);
static double slope(double x) { return __enzyme_autodiff<double>((void *)root, x); }
ADZE_TEST_REVERSE(batches) {
  auto s = __enzyme_batch<Row<2>>((void *)slope, enzyme_width, 2, enzyme_vector, 4.0, 25.0);
  adze_near("of a marker", s[0], 0.25, 1e-15);
  adze_near("of a marker", s[1], 0.1, 1e-15);
  auto m = __enzyme_batch<std::array<Small, 2>>((void *)shifted, enzyme_width, 2, enzyme_vector,
                                                Small{1, 2, 3}, Small{4, 5, 6});
  adze_near("small", m[0].a + 10 * m[0].b + 100 * m[0].c, 322, 0);
  adze_near("small", m[1].a + 10 * m[1].b + 100 * m[1].c, 805, 0);
  adze_near("one", __enzyme_batch<double>((void *)root, enzyme_width, 1, enzyme_vector, 9.0), 3,
            0);
  auto u = __enzyme_batch<Row<2>>((void *)power, enzyme_width, 2, 3.0, 4.0, (short)2, (short)3);
  adze_near("without tags", u[0] + u[1], 73, 0);
}
#endif
