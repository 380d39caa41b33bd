// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigen's AutoDiffScalar: see tool.hpp.

#ifndef ADZE_BENCHMARKS_COMMON_TOOL_EIGEN_HPP
#define ADZE_BENCHMARKS_COMMON_TOOL_EIGEN_HPP

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include <algorithm>
#include <vector>

namespace tool {

template <class Scalar, int Width>
using dual = Eigen::AutoDiffScalar<Eigen::Matrix<Scalar, Width, 1>>;

/// Directions in one call of the objective.
enum { WIDTH = 16 };

/// Calls f once for every WIDTH inputs; `seed(x)` makes a number of an input,
/// `take(i, d)` gets the derivative by it.
template <class Scalar, class F, class Seed, class Take>
void forward(int n, const double *x, const F &f, const Seed &seed,
             const Take &take) {
  using number = dual<Scalar, WIDTH>;
  std::vector<number> inputs(n);
  for (int i = 0; i < n; i++) {
    inputs[i].value() = seed(x[i]);
    inputs[i].derivatives().setZero();
  }
  for (int first = 0; first < n; first += WIDTH) {
    const int last = std::min(n, first + int(WIDTH));
    for (int i = first; i < last; i++)
      inputs[i].derivatives()(i - first) = Scalar(1.0);
    number result = f(static_cast<const number *>(inputs.data()));
    for (int i = first; i < last; i++) {
      take(i, result.derivatives()(i - first));
      inputs[i].derivatives().setZero();
    }
  }
}

template <class F>
void gradient(int n, const double *x, double *g, const F &f) {
  forward<double>(
      n, x, f, [](double value) { return value; },
      [&](int i, double derivative) { g[i] = derivative; });
}

template <class F>
void gradient_and_curvature(int n, const double *x, double *g, double *h,
                            const F &f) {
  using tangent = dual<double, 1>;
  forward<tangent>(
      n, x, f,
      [](double value) {
        return tangent(value, Eigen::Matrix<double, 1, 1>(1.0));
      },
      [&](int i, const tangent &derivative) {
        g[i] = derivative.value();
        h[i] = derivative.derivatives()(0);
      });
}

template <int N, class F, class Take>
void jacobian(int m, const double *x, const double *constants, int, const F &f,
              const Take &take) {
  using number = dual<double, N>;
  std::vector<number> inputs, outputs(m);
  for (int j = 0; j < N; j++)
    inputs.emplace_back(x[j], N, j);
  f(static_cast<const number *>(inputs.data()), constants, outputs.data());
  for (int i = 0; i < m; i++)
    for (int j = 0; j < N; j++)
      take(i, j, outputs[i].derivatives()(j));
}

} // namespace tool

#endif
