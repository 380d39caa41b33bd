// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective of ode.h as a template, for other tools: see tool.hpp.

#include "../common/tool.hpp"
#include "ode.h"

namespace {

template <class T> void slope(int n, const T *x, const T *y, T *out) {
  out[0] = x[0];
  for (int i = 1; i < n; i++)
    out[i] = x[i] * y[i - 1];
}

/// The buffers of a step; all of n numbers.
template <class T> struct buffers {
  std::vector<T> y, slope, sum, stage;
};

template <class T> void step(int n, double h, const T *x, buffers<T> &b) {
  slope(n, x, b.y.data(), b.slope.data());
  for (int i = 0; i < n; i++) {
    b.sum[i] = b.slope[i];
    b.stage[i] = b.y[i] + 0.5 * h * b.slope[i];
  }
  for (double part : {0.5 * h, h}) {
    slope(n, x, b.stage.data(), b.slope.data());
    for (int i = 0; i < n; i++) {
      b.sum[i] += 2.0 * b.slope[i];
      b.stage[i] = b.y[i] + part * b.slope[i];
    }
  }
  slope(n, x, b.stage.data(), b.slope.data());
  for (int i = 0; i < n; i++)
    b.y[i] += h / 6.0 * (b.sum[i] + b.slope[i]);
}

template <class T> T objective(const ode_sizes &sizes, const T *x) {
  const int n = sizes.n;
  const std::size_t size = n;
  buffers<T> b = {std::vector<T>(x + n, x + 2 * n), std::vector<T>(size),
                  std::vector<T>(size), std::vector<T>(size)};
  for (int s = 0; s < sizes.steps; s++)
    step(n, 2.0 / sizes.steps, x, b);
  T sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += b.y[i];
  return sum;
}

} // namespace

TOOL_FUNCTION(ode)(const void *constants, const double *x, double *gradient) {
  const auto &sizes = *static_cast<const ode_sizes *>(constants);
  tool::gradient(2 * sizes.n, x, gradient,
                 [&](const auto *at) { return objective(sizes, at); });
}
