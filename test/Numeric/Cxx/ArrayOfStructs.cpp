// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::array of structs of a double, a number and a std::array; sorted by the
// number.
#include "check.h"
#include <algorithm>
#include <array>
#include <stddef.h>

struct Item {
  double value;
  int rank;
  std::array<float, 2> part;
};

extern "C" double items(const double *x, int n) {
  std::array<Item, 4> a{};
  for (int i = 0; i < n; ++i)
    a[(size_t)i] = Item{x[i] * x[0], 7 * i % 4, {0.5f, (float)i}};
  std::sort(a.begin(), a.end(),
            [](const Item &p, const Item &q) { return p.rank < q.rank; });
  std::array<Item, 4> b = a;
  double s = 0;
  for (const Item &i : b)
    s = s * i.value + (double)i.part[0] * i.value + i.rank;
  return s;
}

ADZE_TEST_ARRAY(items, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
