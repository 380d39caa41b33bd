// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expression templates, of dynamic and of fixed size: structures that hold references to structures
// that hold pointers, passed and copied through many functions. Of members of empty classes nothing
// but the front-end plugin knows.
// ADZE: skip-unless=header:eigen3/Eigen/Dense levels=O0,O2
#include "check.h"
#include <eigen3/Eigen/Dense>

extern "C" double products(const double *x, int n) {
  Eigen::Map<const Eigen::MatrixXd> a(x, 2, n / 2);
  Eigen::VectorXd v = a.row(0);
  Eigen::VectorXd w = a * v;
  Eigen::Matrix2d m;
  m << x[0], x[1], x[2], x[3];
  return w.squaredNorm() + w.dot(m * w);
}

ADZE_TEST_ARRAY(products, 6, ADZE_AT(0.5, 0.7, -0.4, 0.2, 1.1, 0.3))
