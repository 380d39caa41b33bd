// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective of det.h as a template, for other tools: see tool.hpp.

#include "../common/tool.hpp"
#include "det.h"

namespace {

template <class T>
T minor_of(const T *a, int n, int size, int *rows, int *columns) {
  int row = rows[n];
  int column = columns[n];
  if (size == 1)
    return a[row * n + column];
  T sum = 0.0;
  double sign = 1.0;
  int before = n;
  rows[n] = rows[row];
  for (int j = 0; j < size; j++) {
    columns[before] = columns[column];
    T minor = minor_of(a, n, size - 1, rows, columns);
    columns[before] = column;
    sum += sign * a[row * n + column] * minor;
    sign = -sign;
    before = column;
    column = columns[column];
  }
  rows[n] = row;
  return sum;
}

template <class T> T objective(int n, const T *a) {
  std::vector<int> rows(n + 1), columns(n + 1);
  for (int i = 0; i < n; i++)
    rows[i] = columns[i] = i + 1;
  rows[n] = columns[n] = 0;
  return minor_of(a, n, n, rows.data(), columns.data());
}

} // namespace

TOOL_FUNCTION(det)(const void *constants, const double *a, double *gradient) {
  const int n = *static_cast<const int *>(constants);
  tool::gradient(n * n, a, gradient,
                 [&](const auto *at) { return objective(n, at); });
}
