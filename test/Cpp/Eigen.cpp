// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigen's vectors and matrices as arguments and results.
// ADZE: skip-unless=header:eigen3/Eigen/Dense levels=O1,O2
#include "expect.hpp"
#include <adze/adze.hpp>
#include <eigen3/Eigen/Dense>

static double energy(const Eigen::VectorXd &x) {
  return x.squaredNorm() * x[0];
}
static double form(const Eigen::Matrix2d &a, const Eigen::Vector2d &x) {
  return x.dot(a * x);
}
static Eigen::VectorXd mapped(const Eigen::VectorXd &x) {
  Eigen::VectorXd y(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    y[i] = x[i] * x[0];
  return y;
}

int main() {
  Eigen::VectorXd x(3);
  x << 1, 2, 3;
  const Eigen::VectorXd g = adze::gradient(energy, x);
  near("vector", g[1], 4);
  near("vector's first", g[0], 16);
  const auto h = adze::hessian(energy, x);
  near("Hessian", h(0, 1), 4);
  Eigen::Matrix2d a;
  a << 1, 2, 3, 4;
  const auto [da, dx] = adze::gradient(form, a, Eigen::Vector2d(5, 6));
  near("matrix", da(0, 1), 30);
  near("fixed vector", dx[0], 10 + 30);
  const auto j = adze::jacobian(mapped, x);
  near("Jacobian", j(2, 0), 3);
  holds("check", bool(adze::check_gradient(energy, x)));
  return failures();
}
