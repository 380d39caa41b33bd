// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::array, std::pair, std::complex and algorithms that inline.
#include "check.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

extern "C" double containers(const double *x, int n) {
  std::array<double, 4> a{};
  std::copy(x, x + n, a.begin());
  std::pair<double, int> best{a[0], 0};
  for (int i = 1; i < n; ++i)
    best = std::max(best, std::make_pair(a[(size_t)i], i));
  std::swap(a[0], a[3]);
  std::complex<double> z(a[0], a[1]);
  z = z * z + 1.0;
  double s = std::inner_product(a.begin(), a.end(), a.rbegin(), 0.0);
  return s * best.first + std::norm(z) * best.second;
}

ADZE_TEST_ARRAY(containers, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
