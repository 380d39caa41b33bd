// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: libcxx may-refuse=O0libcxx
// A hierarchy of classes with virtual functions, containers, and pointers that
// count their owners.
#include "check.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Shape {
  std::vector<double> history;
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual void scale(double k) = 0;
  void note() { history.push_back(area()); }
};
struct Circle : Shape {
  double r;
  explicit Circle(double r) : r(r) {}
  double area() const override { return 3 * r * r; }
  void scale(double k) override { r *= k; }
};
struct Box : Shape {
  std::vector<double> sides;
  std::map<std::string, double> named;
  Box(double a, double b) : sides{a, b} { named["height"] = a + b; }
  double area() const override {
    return sides[0] * sides[1] + named.at("height");
  }
  void scale(double k) override {
    for (double &s : sides)
      s *= k;
    named["height"] *= k * k;
  }
};
struct Group : Shape {
  std::vector<std::unique_ptr<Shape>> parts;
  double area() const override {
    double s = 0;
    for (auto &p : parts)
      s += p->area();
    return s;
  }
  void scale(double k) override {
    for (auto &p : parts)
      p->scale(k);
  }
};
extern "C" double shapes(const double *x, int n) {
  auto g = std::make_unique<Group>();
  std::vector<std::shared_ptr<Shape>> all;
  for (int i = 0; i + 1 < n; ++i) {
    if (i % 2)
      g->parts.push_back(std::make_unique<Circle>(x[i]));
    else
      g->parts.push_back(std::make_unique<Box>(x[i], x[i + 1]));
    all.push_back(std::make_shared<Circle>(x[i] * x[i]));
  }
  g->note();
  g->scale(x[1]);
  g->note();
  all.push_back(std::move(g));
  double s = 0;
  for (auto &a : all) {
    a->note();
    for (double h : a->history)
      s = s * 0.7 + h;
  }
  return s;
}
ADZE_TEST_ARRAY(shapes, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
