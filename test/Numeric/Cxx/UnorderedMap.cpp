// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::unordered_map<int, double>: filled with active values, looked up,
// walked.
// ADZE: libcxx
#include "check.h"
#include <unordered_map>

extern "C" double mapped(const double *x, int n) {
  std::unordered_map<int, double> m;
  for (int i = 0; i < n; ++i)
    m[i * 7 % 5] += x[i] * x[0];
  double s = m.at(0) * m.count(2);
  for (int i = 0; i < 5; ++i) {
    auto it = m.find(i);
    if (it != m.end())
      s += it->second * it->second * (it->first + 1);
  }
  return s;
}

ADZE_TEST_ARRAY(mapped, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
