// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::map and set whose keys are active. The number of nodes stands where a
// node would have its key: where types do not tell the two apart, that is
// refused.
// ADZE: may-refuse=O1,O3,vec,O1fast,O3fast,O1asan,O3asan
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
