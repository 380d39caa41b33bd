// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective of kmeans.h as a template, for other tools: see tool.hpp. The
// derivatives are the gradient and, after it, the Hessian times ones.

#include "../common/tool.hpp"
#include "kmeans.h"

namespace {

template <class T>
T square_distance(int d, const double *point, const T *centroid) {
  T square(0.0);
  for (int j = 0; j < d; j++) {
    T difference = point[j] - centroid[j];
    square += difference * difference;
  }
  return square;
}

template <class T> T objective(const kmeans_points &c, const T *centroids) {
  T cost(0.0);
  for (int i = 0; i < c.n; i++) {
    const double *point = c.points + i * c.d;
    T nearest = square_distance(c.d, point, centroids);
    for (int a = 1; a < c.k; a++) {
      T square = square_distance(c.d, point, centroids + a * c.d);
      if (square < nearest)
        nearest = square;
    }
    cost += nearest;
  }
  return cost;
}

} // namespace

TOOL_FUNCTION(kmeans)(const void *constants, const double *x,
                      double *derivative) {
  const auto &c = *static_cast<const kmeans_points *>(constants);
  tool::gradient_and_curvature(
      c.k * c.d, x, derivative, derivative + c.k * c.d,
      [&](const auto *at) { return objective(c, at); });
}
