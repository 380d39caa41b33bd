// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::unordered_map of names to indices and std::map of numbers, beside active
// data.
#include "check.h"
#include <map>
#include <string>
#include <unordered_map>

extern "C" double looked(const double *x, int n) {
  std::unordered_map<std::string, int> index{
      {"first", 0}, {"second", 1}, {"third", 2}};
  std::map<int, int> next;
  for (int i = 0; i < n; ++i)
    next[i] = (i + 1) % n;
  double s = x[index.at("second")] * x[index.at("third")];
  for (int i = 0; i < n; ++i)
    s += x[i] * x[next[i]];
  return s;
}

ADZE_TEST_ARRAY(looked, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
