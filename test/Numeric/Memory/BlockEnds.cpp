// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and triangles by blocks with counters of 32 bits, whose ends are
// min(b + 3, n): sizes below, at and above multiples of a block, and none.
// ADZE: vectorized
#include "check.h"
#include <algorithm>

enum { Size = 3, Most = 8 };

// Unknown to the optimizer.
static volatile int given = Most;

/// x := a x, all by blocks, and then x := x - L x, in place.
static double product(double *a, int n) {
  double c[Most * Most] = {0};
  for (int ii = 0; ii < n; ii += Size)
    for (int kk = 0; kk < n; kk += Size)
      for (int jj = 0; jj < n; jj += Size)
        for (int i = ii; i < std::min(ii + Size, n); ++i)
          for (int k = kk; k < std::min(kk + Size, n); ++k)
            for (int j = jj; j < std::min(jj + Size, n); ++j)
              c[i * n + j] += a[i * n + k] * a[k * n + j];
  for (int ii = 0; ii < n; ii += Size) {
    const int e = std::min(ii + Size, n);
    for (int i = ii; i < e; ++i)
      for (int k = 0; k < i; ++k)
        for (int j = 0; j < n; ++j)
          c[i * n + j] -= a[i * n + k] * c[k * n + j];
  }
  double r = 0;
  for (int i = 0; i < n * n; ++i)
    r += (1 + i % 3) * c[i];
  return r;
}

/// Downwards, from blocks of which the first one may be shorter.
static double downwards(double *a, int n) {
  for (int b = n; b > 0; b -= Size) {
    const int from = std::max(b - Size, 0);
    for (int i = b - 1; i >= from; --i)
      for (int j = i + 1; j < n; ++j)
        a[i] += a[i * n + j] * a[j];
  }
  return a[0] * a[std::max(n - 1, 0)];
}

#define EACH(NAME, FUNCTION)                                                   \
  static void NAME(const double *x, double *y) {                               \
    double a[Most * Most];                                                     \
    for (int n = 0, end = given; n <= end; ++n) {                              \
      for (int i = 0; i < Most * Most; ++i)                                    \
        a[i] = 0.3 * x[i % 5] + 0.05 * x[(i / Most + 2) % 5];                  \
      y[n] = FUNCTION(a, n);                                                   \
    }                                                                          \
  }                                                                            \
  ADZE_TEST_MAP(NAME, 5, Most + 1, ADZE_AT(0.5, -0.2, 0.3, 0.8, -0.4))
EACH(products, product)
EACH(downwards_each, downwards)
