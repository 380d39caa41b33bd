// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Active values by name: std::map and unordered_map with keys of strings.
// Members of a string are not inlined before the derivative is made.
// ADZE: libcxx
#include "check.h"
#include <algorithm>
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

// Keys that a function returns, in a block of their own; found keys are changed.
__attribute__((noinline)) static std::string key(int i) {
  return std::string(20 + i, (char)('a' + i));
}
extern "C" double found(const double *x, int n) {
  std::unordered_map<std::string, double> m;
  double r = x[0];
  for (int i = 0; i < n; ++i)
    m[key(i)] = x[i] * x[i];
  for (int i = 0; i < n + 2; ++i) {
    auto it = m.find(key(i));
    if (it != m.end()) {
      it->second *= x[1];
      r = 0.9 * r + 0.1 * it->second;
    }
  }
  return r;
}
ADZE_TEST_ARRAY(found, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

// Records with text and a vector, moved, copied and sorted.
struct Particle {
  std::string name;
  double v;
  std::vector<double> history;
};
extern "C" double particles(const double *x, int n) {
  std::vector<Particle> all;
  for (int i = 0; i < n; ++i) {
    Particle p;
    p.name = "particle " + std::string(i * 7, 'x');
    p.v = x[i];
    all.push_back(p);
  }
  for (int step = 0; step < 3; ++step)
    for (auto &p : all) {
      p.v += 0.1 * p.v * p.v;
      p.history.push_back(p.v);
    }
  std::sort(all.begin(), all.end(), [](const Particle &a, const Particle &b) {
    return a.name.size() > b.name.size();
  });
  all.erase(all.begin() + 1);
  all.insert(all.begin(), Particle{"one more", x[0] * x[1], {x[2], x[3]}});
  Particle last = all.back();
  std::swap(all[1], all[2]);
  double s = last.v;
  for (unsigned i = 0; i < all.size(); ++i)
    s += (i + 1) * all[i].v * all[i].history.back() * double(all[i].name.size());
  return s;
}
ADZE_TEST_ARRAY(particles, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
