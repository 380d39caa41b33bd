// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: flags="-std=c++17" libs="-ltbb -pthread" skip-unless=header:tbb/parallel_for.h levels=O0,O1,O2,O3 may-refuse=O0,O0g
// Parallel algorithms of C++, and loops of TBB: derivatives run them in one thread.
#include "check.h"
#include <algorithm>
#include <cmath>
#include <execution>
#include <functional>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <vector>

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

extern "C" double algorithms(const double *x, int n) {
  std::vector<double> y(x, x + n), z(n);
  double scale = x[0];
  std::for_each(std::execution::par, y.begin(), y.end(),
                [=](double &each) { each = std::sin(each) * each * scale; });
  std::transform(std::execution::par_unseq, y.begin(), y.end(), x, z.begin(),
                 [](double a, double b) { return a * b + a; });
  return std::transform_reduce(std::execution::par, z.begin(), z.end(), x[1],
                               std::plus<>(), [](double v) { return v * v; }) +
         std::transform_reduce(std::execution::par, y.begin(), y.end(), x, 0.0) *
             std::reduce(std::execution::par, z.begin(), z.end());
}
ADZE_TEST_ARRAY(algorithms, Count, POINT)

extern "C" double loops(const double *x, int n) {
  std::vector<double> y(n);
  tbb::parallel_for(tbb::blocked_range<int>(0, n),
                    [&](const tbb::blocked_range<int> &r) {
                      for (int i = r.begin(); i != r.end(); ++i)
                        y[i] = x[i] * x[i] * x[0];
                    });
  tbb::parallel_for(0, n, [&](int i) { y[i] *= std::sin(x[i]); });
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, n), 0.0,
      [&](const tbb::blocked_range<int> &r, double s) {
        for (int i = r.begin(); i != r.end(); ++i)
          s += y[i] * x[i];
        return s;
      },
      [](double a, double b) { return a + b; });
}
ADZE_TEST_ARRAY(loops, Count, POINT)
