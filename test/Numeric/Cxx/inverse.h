// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of a matrix of dynamic size.
#ifndef ADZE_TEST_NUMERIC_CXX_INVERSE_H
#define ADZE_TEST_NUMERIC_CXX_INVERSE_H

#include "check.h"
#include <eigen3/Eigen/Dense>

extern "C" void six(const double *x, double *y) {
  Eigen::MatrixXd a(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      a(i, j) = x[(2 * i + 3 * j) % 5] + (i == j ? 3 + x[i % 5] : 0);
  Eigen::MatrixXd b = a.inverse();
  for (int i = 0; i < 6; ++i)
    y[i] = b(i, 0) + 2 * b(0, i) + b(i, i);
}
ADZE_TEST_MAP(six, 5, 6, ADZE_AT(0.5, 0.7, -0.4, 0.2, 1.1))

#endif
