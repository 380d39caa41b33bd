// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings and an unordered map of names beside active numbers.
#include "check.h"
#include <string>
#include <unordered_map>
#include <vector>
extern "C" void names(const double *x, double *y) {
  std::unordered_map<std::string, int> index;
  std::vector<std::string> all = {"alpha", "beta",
                                  "a name that is longer than sixteen"};
  for (int i = 0; i < 3; ++i)
    index[all[i]] = i;
  std::string copy = all[2] + "!";
  copy.pop_back();
  y[0] = x[index.at("alpha")] * x[index.at(copy)] * double(copy.size());
}
ADZE_TEST_MAP(names, 3, 1, ADZE_AT(0.9, 1.1, -0.7))
