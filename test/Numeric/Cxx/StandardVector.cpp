// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::vector of doubles, of ints beside them, and of structs; resize and push_back.
#include "check.h"
#include <stddef.h>
#include <vector>

struct Item {
  double value;
  int count;
};

extern "C" double vectors(const double *x, int n) {
  std::vector<double> a(x, x + n);
  std::vector<int> order;
  std::vector<Item> items;
  for (int i = 0; i < n; ++i) {
    order.push_back(n - 1 - i);
    items.push_back(Item{a[(size_t)i] * a[0], i});
  }
  a.resize(2 * (size_t)n, x[0]);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[(size_t)(i + n)] * items[(size_t)order[(size_t)i]].value * (i + 1);
  return s;
}

ADZE_TEST_ARRAY(vectors, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
