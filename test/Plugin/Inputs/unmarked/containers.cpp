// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>
double total(const std::map<std::string, std::vector<double>> &all) {
  double sum = 0;
  for (const auto &[name, values] : all)
    sum += std::accumulate(values.begin(), values.end(), double(name.size()));
  return sum;
}
std::vector<double> sorted(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}
std::string joined(const std::vector<std::string> &words) {
  std::string all;
  for (const std::string &w : words)
    all += w + ", ";
  return all;
}
