// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices of dynamic size: blocks are made of numbers that functions change through
// references, in memory on the stack that is aligned as an integer.
// ADZE: skip-unless=header:eigen3/Eigen/Dense levels=O0 compile-limit=120
#include "check.h"
#include <eigen3/Eigen/Dense>
using namespace Eigen;

extern "C" double multiplied(const double *x, int n) {
  MatrixXd a(4, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      a(i, j) = x[(2 * i + 3 * j) % n] + (i == j ? 3 + x[i % n] : 0);
  MatrixXd b = a.transpose() * a + 2.0 * a;
  VectorXd v = Map<const VectorXd>(x, 4);
  return b.squaredNorm() + (a.transpose() * v).sum() + v.dot(b * v);
}
ADZE_TEST_ARRAY(multiplied, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, 1.1))
