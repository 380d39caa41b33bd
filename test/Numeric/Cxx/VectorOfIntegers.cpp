// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::vector<int> and std::vector<bool> beside active data.
#include "check.h"
#include <algorithm>
#include <numeric>
#include <stddef.h>
#include <vector>

extern "C" double chosen(const double *x, int n) {
  std::vector<int> order((size_t)n);
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  std::vector<bool> odd((size_t)n);
  for (int i = 0; i < n; ++i)
    odd[(size_t)i] = i & 1;
  double s = 1;
  for (int i : order)
    s = s * x[i] + (odd[(size_t)i] ? x[0] : 0.5);
  return s;
}

ADZE_TEST_ARRAY(chosen, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
