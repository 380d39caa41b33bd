// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective of lse.h as a template, for other tools: see tool.hpp.

#include "../common/tool.hpp"
#include "lse.h"

#include <cmath>

namespace {

template <class T> T objective(int n, const T *x) {
  using std::exp;
  using std::log;
  T largest = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > largest)
      largest = x[i];
  T sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return log(sum) + largest;
}

} // namespace

TOOL_FUNCTION(lse)(const void *constants, const double *x, double *gradient) {
  const int n = *static_cast<const int *>(constants);
  tool::gradient(n, x, gradient,
                 [&](const auto *at) { return objective(n, at); });
}
