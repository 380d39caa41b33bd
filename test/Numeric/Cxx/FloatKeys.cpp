// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::map and set whose keys are active. The number of nodes stands where a
// node would have its key; in tables for interpolation the keys are floats.
// ADZE: may-refuse=O2noalias
#include "check.h"
#include <cmath>
#include <map>
#include <set>

extern "C" double ordered(const double *x, int n) {
  std::map<double, int> places;
  std::set<double> sines;
  for (int i = 0; i < n; ++i) {
    places[x[i] * x[i]] = i;
    sines.insert(std::sin(x[i]));
  }
  double s = 0, weight = 1;
  for (auto &p : places)
    s += (weight *= 1.5) * p.first * x[p.second];
  for (double d : sines)
    s += (weight *= 1.5) * d;
  return s;
}
ADZE_TEST_ARRAY(ordered, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

// A table: the key below and above, of another type than the values.
extern "C" double table(const double *x, int n) {
  std::map<float, double> t;
  for (int i = 0; i < n; ++i)
    t[float(i)] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double at = 0.25 + 0.5 * i + 0.1 * x[i];
    auto above = t.upper_bound(float(at));
    auto below = std::prev(above);
    s += below->second + (above->second - below->second) * (at - below->first) /
                             (above->first - below->first);
  }
  return s;
}
ADZE_TEST_ARRAY(table, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
