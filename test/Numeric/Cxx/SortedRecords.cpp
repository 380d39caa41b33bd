// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records with a gap behind their last member are sorted: the gap has no type, and moves with them.
#include "check.h"
#include <algorithm>
#include <numeric>
#include <vector>

struct Observation {
  double key, weight;
  int id;
};

static double shares(const std::vector<Observation> &all) {
  double total = std::accumulate(all.begin(), all.end(), 0.0,
                                 [](double s, const Observation &o) { return s + o.weight; });
  double below = 0, s = 0;
  for (const Observation &o : all) {
    below += o.weight / total;
    s += below * (1 - below) * o.key * o.key * (1 + o.id % 3);
  }
  return s;
}
static std::vector<Observation> observed(const double *x, int n) {
  std::vector<Observation> all(n);
  for (int i = 0; i < n; ++i)
    all[i] = {x[i], 1 + x[(i + 3) % n] * x[i], i};
  return all;
}

double sorted(const double *x, int n) {
  std::vector<Observation> all = observed(x, n);
  std::sort(all.begin(), all.end(),
            [](const Observation &a, const Observation &b) { return a.key < b.key; });
  return shares(all);
}
ADZE_TEST_ARRAY(sorted, 7, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9, 0.1))

double stably(const double *x, int n) {
  std::vector<Observation> all = observed(x, n);
  std::stable_sort(all.begin(), all.end(), [](const Observation &a, const Observation &b) {
    return a.weight > b.weight;
  });
  return shares(all);
}
ADZE_TEST_ARRAY(stably, 7, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9, 0.1))

double inserted(const double *x, int n) {
  std::vector<Observation> all = observed(x, n);
  for (int i = 1; i < n; ++i) {
    Observation o = all[i];
    int j = i;
    for (; j > 0 && all[j - 1].key > o.key; --j)
      all[j] = all[j - 1];
    all[j] = o;
  }
  return shares(all);
}
ADZE_TEST_ARRAY(inserted, 7, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9, 0.1))
