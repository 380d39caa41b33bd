// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of dynamic matrices, and functions of arrays in vectors.
// ADZE: levels=O2,O3 skip-unless=header:eigen3/Eigen/Dense compile-limit=120
#include "check.h"
#include <eigen3/Eigen/Dense>
using namespace Eigen;

extern "C" double decompositions(const double *x, int n) {
  MatrixXd a(3, 3);
  VectorXd b(3);
  for (int i = 0; i < n; ++i)
    a(i / 3, i % 3) = x[i] + (i % 4 == 0);
  b << x[0], x[1] * x[2], 1.0;
  MatrixXd s = a * a.transpose();
  return a.partialPivLu().solve(b).squaredNorm() + s.llt().solve(b).sum() +
         s.ldlt().solve(b)(1);
}
ADZE_TEST_ARRAY(decompositions, 9,
                ADZE_AT(0.5, -0.5, 0.2, 0.1, 0.7, 0.3, 0.7, 0.9, 1.3))

extern "C" double functions(const double *x, int n) {
  ArrayXd a = Map<const ArrayXd>(x, n);
  ArrayXd b = a.exp() + a.tanh() * a.sin();
  return (b * b).sum();
}
ADZE_TEST_ARRAY(functions, 5, ADZE_AT(0.5, -0.5, 0.2, 1.1, 0.7))
