// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of matrices of fixed size: by cofactors for three rows, by
// vectors and sign masks for four, by elimination with exchange of rows for
// five.
// ADZE: skip-unless=header:eigen3/Eigen/Dense levels=O0,O2 compile-limit=120
#include "check.h"
#include <eigen3/Eigen/Dense>

template <int N> static void inverted(const double *x, double *y) {
  Eigen::Matrix<double, N, N> a;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      a(i, j) = x[(2 * i + 3 * j) % 5] + (i == j ? 3 + x[i % 5] : 0);
  Eigen::Matrix<double, N, N> b = a.inverse();
  for (int i = 0; i < N; ++i)
    y[i] = b(i, 0) + 2 * b(0, i) + b(i, i);
}

extern "C" void three(const double *x, double *y) { inverted<3>(x, y); }
extern "C" void four(const double *x, double *y) { inverted<4>(x, y); }
extern "C" void five(const double *x, double *y) { inverted<5>(x, y); }

#define AT ADZE_AT(0.5, 0.7, -0.4, 0.2, 1.1)
ADZE_TEST_MAP(three, 5, 3, AT)
ADZE_TEST_MAP(four, 5, 4, AT)
ADZE_TEST_MAP(five, 5, 5, AT)
