// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::vector<std::vector<double>>, resized, filled and swapped.
#include "check.h"
#include <stddef.h>
#include <utility>
#include <vector>

extern "C" double rows(const double *x, int n) {
  std::vector<std::vector<double>> m;
  m.resize((size_t)n);
  for (int i = 0; i < n; ++i) {
    m[(size_t)i].resize((size_t)i + 1, x[i]);
    m[(size_t)i][0] *= x[0];
  }
  std::swap(m[0], m[1]);
  m.resize((size_t)n + 1, m[2]);
  double s = 0;
  for (const std::vector<double> &row : m)
    for (double v : row)
      s = s * 0.5 + v * v;
  return s;
}

ADZE_TEST_ARRAY(rows, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
