// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and decompositions in vectors of four doubles: fused products in assembly, blocks of memory
// that Eigen aligns itself, pointers that are read as a part of a vector.
// ADZE: levels=O2 flags="-march=haswell" skip-unless=header:eigen3/Eigen/Dense,cpu:fma
// ADZE: compile-limit=300
#include "check.h"
#include <eigen3/Eigen/Dense>
using namespace Eigen;

extern "C" double fused(const double *x, int n) {
  MatrixXd a(5, 5), b(5, 5);
  for (int i = 0; i < 25; ++i) {
    a(i / 5, i % 5) = x[i % n] + 3 * (i % 6 == 0);
    b(i % 5, i / 5) = x[i * 3 % n] * x[i % n];
  }
  MatrixXd c = a * b;
  VectorXd v = Map<const VectorXd>(x, 5);
  return c.squaredNorm() + a.partialPivLu().solve(v).sum();
}
ADZE_TEST_ARRAY(fused, 7, ADZE_AT(0.5, -0.5, 0.2, 1.1, 0.7, 0.31, 0.77))
