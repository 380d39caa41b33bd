// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::map and multimap of active values: the library's functions that turn
// and walk the trees have no visible body, and move pointers.
#include "check.h"
#include <map>
#include <memory>

// Nodes are inserted, found, erased, walked in both directions.
extern "C" double byNumber(const double *x, int n) {
  std::map<int, double> m;
  for (int i = 0; i < 3 * n; ++i)
    m[i * 5 % (3 * n)] = x[i % n] * (i + 1);
  for (int i = 0; i < 3 * n; i += 2)
    m.erase(i);
  double s = m.begin()->second * m.lower_bound(4)->second;
  for (auto at = m.rbegin(); at != m.rend(); ++at)
    s = s * 0.5 + at->second * at->second;
  return s;
}
ADZE_TEST_ARRAY(byNumber, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

// Many values of one key; pointers to objects.
struct Shape {
  double size;
  virtual double area(double t) { return size * t; }
  virtual ~Shape() {}
};
struct Square : Shape {
  double area(double t) override { return size * size * t; }
};
extern "C" double others(const double *x, int n) {
  std::multimap<int, double> m;
  std::map<int, std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < n; ++i) {
    m.emplace(i % 2, x[i]);
    if (i % 2)
      shapes[i].reset(new Shape);
    else
      shapes[i] = std::make_unique<Square>();
    shapes[i]->size = x[i];
  }
  m.begin()->second *= 3;
  double s = 1;
  auto ones = m.equal_range(1);
  for (auto at = ones.first; at != ones.second; ++at)
    s += at->second * m.begin()->second;
  for (auto &p : shapes)
    s = 0.5 * s + p.second->area(s);
  return s;
}
ADZE_TEST_ARRAY(others, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
