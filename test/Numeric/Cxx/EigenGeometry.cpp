// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotations and rigid motions of fixed size, and a solution by singular values.
// ADZE: levels=O2 skip-unless=header:eigen3/Eigen/Dense compile-limit=120
#include "check.h"
#include <eigen3/Eigen/Dense>
#include <eigen3/Eigen/Geometry>
using namespace Eigen;
extern "C" double rigid(const double *x, int n) {
  Isometry3d t = Isometry3d::Identity();
  t.rotate(AngleAxisd(x[0], Vector3d::UnitZ()));
  t.translate(Vector3d(x[1], x[2], x[3]));
  Quaterniond q(x[0], x[1], x[2], x[3]);
  Vector3d p(x[4], x[5], x[n - 1]);
  return (t * p).dot(t.inverse() * p) + (q.normalized() * p).x();
}
ADZE_TEST_ARRAY(rigid, 7, ADZE_AT(0.5, -0.5, 0.2, 1.1, 0.7, 0.31, 0.77))
extern "C" double solved(const double *x, int n) {
  Matrix3d a;
  a << x[0] + 1, x[1], x[2], x[3], x[4] + 3, x[5], x[n - 1], x[0], x[1] + 6;
  JacobiSVD<Matrix3d> s(a, ComputeFullU | ComputeFullV);
  return s.solve(Vector3d(x[0], x[1], 1)).sum();
}
ADZE_TEST_ARRAY(solved, 7, ADZE_AT(0.5, -0.5, 0.2, 1.1, 0.7, 0.31, 0.77))
