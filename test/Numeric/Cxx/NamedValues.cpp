// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Active values by name: std::map and unordered_map with keys of strings.
// Where the optimizer has inlined most of a string, copies of its characters
// are taken for copies of what may stand behind them, and refused.
// ADZE: levels=O0
#include "check.h"
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" double named(const double *x, int n) {
  std::map<std::string, double> m;
  for (int i = 0; i < n; ++i)
    m["key" + std::to_string(i % 3)] += x[i] * x[i];
  m.erase("key1");
  double s = 0;
  for (auto &p : m)
    s += p.second * p.second * double(p.first.size());
  auto at = m.find("key2");
  return at == m.end() ? s : s * at->second;
}
ADZE_TEST_ARRAY(named, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

extern "C" double hashed(const double *x, int n) {
  std::unordered_map<std::string, double> m;
  for (int i = 0; i < n; ++i)
    m["parameter number " + std::to_string(i * i % 7)] += x[i] * x[i];
  double s = 0;
  for (int i = 0; i < 7; ++i) {
    auto at = m.find("parameter number " + std::to_string(i));
    if (at != m.end())
      s += at->second * at->second * (i + 1);
  }
  return s;
}
ADZE_TEST_ARRAY(hashed, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

extern "C" double lists(const double *x, int n) {
  static const char *const keys[] = {"alpha", "beta", "gamma"};
  std::unordered_map<std::string, std::vector<double>> m;
  for (int i = 0; i < n; ++i)
    m[keys[i % 3]].push_back(x[i]);
  double s = 0;
  for (auto &p : m) {
    double product = 1;
    for (double d : p.second)
      product *= d;
    s += product;
  }
  return s;
}
ADZE_TEST_ARRAY(lists, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
