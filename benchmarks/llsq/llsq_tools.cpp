// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective of llsq.h as a template, for other tools: see tool.hpp.

#include "../common/tool.hpp"
#include "llsq.h"

namespace {

template <class T> T objective(const llsq_sizes &sizes, const T *x) {
  T sum = 0.0;
  for (int i = 0; i < sizes.n; i++) {
    double t = -1.0 + i * 2.0 / (sizes.n - 1.0);
    T residual = t < 0.0 ? -1.0 : t > 0.0 ? 1.0 : 0.0;
    double power = 1.0;
    for (int j = 0; j < sizes.m; j++) {
      residual -= x[j] * power;
      power *= t;
    }
    sum += residual * residual;
  }
  return 0.5 * sum;
}

} // namespace

TOOL_FUNCTION(llsq)(const void *constants, const double *x, double *gradient) {
  const auto &sizes = *static_cast<const llsq_sizes *>(constants);
  tool::gradient(sizes.m, x, gradient,
                 [&](const auto *at) { return objective(sizes, at); });
}
