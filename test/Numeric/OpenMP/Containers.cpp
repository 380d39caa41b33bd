// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads may-refuse=O0,O0g,O0clang flags="-fopenmp" libs="-fopenmp"
// ADZE: skip-unless=header:omp.h
// Containers and iterators of each thread: without inlining, memory leaves the
// function that allocates it, and iterators are blocks that all threads copy.
#ifndef TEAMS
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

PROGRAM(vectorOfEach) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(4, x[i]);
    for (int k = 0; k < 4; ++k)
      row[k] *= x[k];
    s += std::accumulate(row.begin(), row.end(), 0.0) * row[1];
  }
  return s;
}
PROGRAM(owners) {
  auto y = std::make_unique<double[]>(n);
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    auto t = std::make_unique<double>(x[i]);
    *t *= x[0];
    y[i] = *t * *t;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i];
  return s;
}
PROGRAM(algorithms) {
  std::vector<double> y(x, x + n);
  OMP(parallel for)
  for (int r = 0; r < 4; ++r) {
    std::sort(y.begin() + 6 * r, y.begin() + 6 * r + 6);
    std::transform(y.begin() + 6 * r, y.begin() + 6 * r + 6,
                   y.begin() + 6 * r, [](double v) { return v * v; });
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * (i + 1) * 0.1;
  return s;
}
PROGRAM(iterators) {
  std::vector<double> y(x, x + n);
  OMP(parallel for)
  for (auto it = y.begin(); it < y.end(); ++it)
    *it *= *it * x[0];
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (const double &v : y)
    s += v * v;
  return s;
}
#endif
