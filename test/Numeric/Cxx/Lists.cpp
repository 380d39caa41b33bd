// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::list: the functions that link its nodes have no visible body.
#include "check.h"
#include <cmath>
#include <list>

extern "C" void linked(const double *x, double *y) {
  std::list<double> a, b;
  for (int i = 0; i < 5; ++i)
    if (i % 2)
      a.push_back(x[i]);
    else
      b.push_front(x[i] * x[i]);
  a.insert(std::next(a.begin()), x[0] * x[1]);
  b.erase(std::next(b.begin()));
  b.reverse();
  a.swap(b);
  double s = 0;
  for (double d : a)
    s = s * 0.8 + d * d;
  y[0] = s;
  b.splice(std::next(b.begin()), a);
  double weight = 1;
  s = 0;
  for (double d : b)
    s += (weight *= 1.2) * d * d;
  y[1] = s * double(b.size() + a.size());
}
ADZE_TEST_MAP(linked, 5, 2, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

extern "C" double sorted(const double *x, int n) {
  std::list<double> a, b{x[0] * 0.01, x[1] * 0.02};
  for (int i = 0; i < n; ++i)
    a.push_back(std::sin(3 * x[i]));
  a.sort();
  b.sort();
  a.merge(b);
  double s = 0, weight = 1;
  for (double d : a)
    s += (weight *= 1.7) * d;
  return s;
}
ADZE_TEST_ARRAY(sorted, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
