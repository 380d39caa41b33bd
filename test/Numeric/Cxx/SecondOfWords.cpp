// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second derivatives of what keeps numbers and pointers in the same words:
// gradients move words there of which the run shows what they are, and these
// moves are differentiated again.
// ADZE: modes=forward levels=O0,O1
#include "check.h"
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Circle : Shape {
  double r;
  explicit Circle(double r) : r(r) {}
  double area() const override { return 3 * r * r * r; }
};
struct Polygon : Shape {
  std::vector<double> sides;
  explicit Polygon(std::vector<double> s) : sides(std::move(s)) {}
  double area() const override {
    double p = 1;
    for (double s : sides)
      p *= s;
    return p;
  }
};

static double shapes(const double *x) {
  std::vector<std::unique_ptr<Shape>> all;
  for (int i = 0; i < 3; ++i)
    all.push_back(std::make_unique<Circle>(x[i]));
  all.push_back(std::make_unique<Polygon>(std::vector<double>(x, x + 3)));
  double s = 0;
  for (auto &shape : all)
    s += shape->area();
  return s;
}

static double laws(const double *x) {
  double a = x[0], b = x[1];
  std::vector<std::function<double(double)>> law;
  law.push_back([a](double t) { return a * t * t; });
  law.push_back([a, b](double t) { return b * t * t * t + a; });
  law.push_back([](double t) { return t * t; });
  std::swap(law[0], law[2]);
  double s = 0;
  for (auto &f : law)
    s += f(x[2]) * f(b);
  return s;
}

struct Record {
  double v;
  long key;
};
__attribute__((noinline)) static void gather(char *to, const Record *p, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 8; ++k)
      *to++ = ((const char *)&p[i].v)[k];
}
static double packed(const double *x) {
  Record p[3];
  char buffer[24];
  for (int i = 0; i < 3; ++i)
    p[i] = {std::sin(x[i]) * x[0], i};
  gather(buffer, p, 3);
  double s = 0, t;
  for (int i = 1; i < 3; ++i) {
    std::memcpy(&t, buffer + 8 * i, 8);
    s += t * t * i;
  }
  return s;
}

extern "C" void shapes_slope(const double *x, double *y) {
  y[0] = y[1] = y[2] = 0;
  __enzyme_autodiff((void *)shapes, enzyme_dup, x, y);
}
extern "C" void laws_slope(const double *x, double *y) {
  y[0] = y[1] = y[2] = 0;
  __enzyme_autodiff((void *)laws, enzyme_dup, x, y);
}
extern "C" void packed_slope(const double *x, double *y) {
  y[0] = y[1] = y[2] = 0;
  __enzyme_autodiff((void *)packed, enzyme_dup, x, y);
}

#define AT ADZE_AT(0.5, 0.7, -0.4)
ADZE_TEST_MAP(shapes_slope, 3, 3, AT)
ADZE_TEST_MAP(laws_slope, 3, 3, AT)
ADZE_TEST_MAP(packed_slope, 3, 3, AT)
