// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors that functions return by value, small ones and such that the C
// library gives back to the system: all end together, after the reverse pass,
// and the next gradient finds the memory as the last one left it.
#include "check.h"
#include <cstddef>
#include <vector>

using Vector = std::vector<double>;

__attribute__((noinline)) static Vector rates(const Vector &s) {
  Vector k(s.size());
  for (std::size_t i = 0; i < s.size(); i++)
    k[i] = s[(i + 1) % s.size()] - s[i] * s[i] * s[i];
  return k;
}

__attribute__((noinline)) static Vector moved(const Vector &s, double by,
                                              const Vector &k) {
  Vector result(s);
  for (std::size_t i = 0; i < s.size(); i++)
    result[i] += by * k[i];
  return result;
}

static double advanced(const double *x, std::size_t n, int steps) {
  Vector s(n);
  for (std::size_t i = 0; i < n; i++)
    s[i] = x[i % 4] * (1 + 0.5 * double(i) / double(n));
  for (int t = 0; t < steps; t++) {
    Vector k1 = rates(s), k2 = rates(moved(s, 0.05, k1));
    Vector k3 = rates(moved(s, 0.05, k2)), k4 = rates(moved(s, 0.1, k3));
    for (std::size_t i = 0; i < n; i++)
      s[i] += 0.1 / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  double sum = 0;
  for (double value : s)
    sum += value * value / double(n);
  return sum;
}

void small_and_large(const double *x, double *y) {
  y[0] = advanced(x, 5, 3);
  y[1] = advanced(x, 20000, 2);
  y[2] = advanced(x, 700, 3);
}
ADZE_TEST_MAP(small_and_large, 4, 3, ADZE_AT(0.5, 0.25, -0.75, 0.3))
